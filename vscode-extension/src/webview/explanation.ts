/** "Why is this here?": explains a line at the bottom of the page, so that nothing moves. */
import { t } from "../l10n";
import { button, el } from "./dom";
import { send } from "./vscodeApi";
import type { LinePosition, Segments } from "./segments";

/** Show the explanation of a line, or close it if it is already shown. */
export function explain(segments: Segments, at: LinePosition): void {
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
    panel.remove();
    segments.row(at)?.focus();
  });
  const number = (head.startLine ?? 0) + at.line;
  const location =
    head.startLine === null || head.path === null
      ? []
      : [t("Line {0} of {1}.", number + 1, head.path)];
  const marks = segment.marks.filter((item) => item.line === at.line).map((item) => item.message);
  const sentences = [...location, ...head.why, ...marks];
  const panel = el(
    "div",
    { id: "why", class: "why", role: "region", "aria-label": t("Why is this here?"), "data-for": key, tabindex: "-1" },
    el("ul", {}, ...sentences.map((text) => el("li", {}, text))),
    ...source(head.uri, number),
    close,
  );
  panel.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      close.click();
    }
  });
  document.body.append(panel);
  panel.focus();
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
