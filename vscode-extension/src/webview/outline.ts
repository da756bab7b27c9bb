/** The outline: every piece with its tokens; choosing one goes there. */
import { t } from "../l10n";
import type { SegmentHead } from "../preview/updates";
import { button, el } from "./dom";

/** A closed list; `open` says whether it was open before. */
export function outlineOf(
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
    el("summary", {}, t("Outline: {0} pieces", segments.length)),
    el("nav", { "aria-label": t("Outline") }, el("ol", {}, ...items)),
  );
}
