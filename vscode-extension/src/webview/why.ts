/** "Why is this here?": the answer for one line, at the foot of the page, so that nothing moves. */
import { t } from "../l10n";
import { button, el } from "./dom";
import { send } from "./host";
import type { At, Segments } from "./segments";

/** Show the answer for a line, or close it if it is open for it. */
export function explain(segments: Segments, at: At): void {
  const segment = segments.get(at.segment);
  const { head } = segment ?? {};
  if (!segment || !head) {
    return;
  }
  const key = `${at.segment}:${at.line}`;
  const open = document.getElementById("why");
  open?.remove();
  if (open?.dataset.for === key) {
    return;
  }
  const close = button(t("Close"), () => {
    answer.remove();
    segments.row(at)?.focus();
  });
  const number = (head.startLine ?? 0) + at.line;
  const where =
    head.startLine === null || head.path === null
      ? []
      : [t("This is line {0} of {1}.", number + 1, head.path)];
  const marks = segment.marks.filter((item) => item.line === at.line).map((item) => item.message);
  const sentences = [...where, ...head.why, ...marks];
  const answer = el(
    "div",
    { id: "why", class: "why", role: "region", "aria-label": t("Why is this here?"), "data-for": key, tabindex: "-1" },
    el("ul", {}, ...sentences.map((text) => el("li", {}, text))),
    ...source(head.uri, number),
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

function source(uri: string | null, line: number): HTMLElement[] {
  const go = (to: string) => {
    send({ type: "open", uri: to, line });
  };
  return uri === null
    ? []
    : [
        button(t("Go to Source"), () => {
          go(uri);
        }),
      ];
}
