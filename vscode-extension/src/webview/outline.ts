/** The outline: every segment with its tokens; selecting one scrolls to it. */
import { t } from "../l10n";
import type { SegmentHead } from "../preview/pageUpdates";
import { button, el } from "./dom";

/** Render the outline, expanded if `open`. */
export function renderOutline(
  segments: readonly SegmentHead[],
  open: boolean,
  go: (index: number) => void,
): HTMLDetailsElement {
  const items = segments.map((segment, index) => {
    const name = segment.path === null ? segment.name : `${segment.name}: ${segment.path}`;
    const link = button(name, () => {
      go(index);
    }, { class: "link", "data-outline": index });
    return el("li", {}, link, " ", segment.note);
  });
  return el(
    "details",
    { id: "outline", class: "outline", open },
    el("summary", {}, segments.length === 1 ? t("Outline: 1 segment") : t("Outline: {0} segments", segments.length)),
    el("nav", { "aria-label": t("Outline") }, el("ol", {}, ...items)),
  );
}
