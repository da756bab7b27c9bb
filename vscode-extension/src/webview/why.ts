/** "Why is this here?": the answer for one line, at the foot of the page, so that nothing moves. */
import { t } from "../l10n";
import type { SegmentView } from "../preview/model";
import { button, el } from "./dom";
import { send } from "./host";

/** Show the answer for `line`, or close it if it is open for it. */
export function explain(line: HTMLElement, segment: SegmentView): void {
  const open = document.getElementById("why");
  const again = open?.dataset.for === key(line);
  open?.remove();
  if (again) {
    return;
  }
  const close = button(t("Close"), () => {
    answer.remove();
    line.focus();
  });
  const answer = el(
    "div",
    { id: "why", class: "why", role: "region", "aria-label": t("Why is this here?"), "data-for": key(line), tabindex: "-1" },
    el("ul", {}, ...sentences(line, segment).map((text) => el("li", {}, text))),
    source(line, segment),
    close,
  );
  answer.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      close.click();
    }
  });
  document.body.append(answer);
  answer.focus();
}

function sentences(line: HTMLElement, segment: SegmentView): string[] {
  const number = line.dataset.sourceLine;
  const where =
    number === undefined || segment.path === null
      ? []
      : [t("This is line {0} of {1}.", Number(number) + 1, segment.path)];
  const marks = segment.marks.filter((item) => item.line === Number(line.dataset.line));
  return [...where, ...segment.why, ...marks.map((item) => item.message)];
}

function source(line: HTMLElement, segment: SegmentView): HTMLElement | null {
  const { uri } = segment;
  return uri === null
    ? null
    : button(t("Go to Source"), () => {
        send({ type: "open", uri, line: Number(line.dataset.sourceLine ?? 0) });
      });
}

function key(line: HTMLElement): string {
  const segment = line.closest("[data-segment]")?.getAttribute("data-segment") ?? "";
  return `${segment}:${line.dataset.line ?? ""}`;
}
