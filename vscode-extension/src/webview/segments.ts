/** The segments in order, each with its header and lines; unchanged ones are left as they stand. */
import { t } from "../l10n";
import type { SegmentView, UnreadView } from "../preview/model";
import { button, el } from "./dom";
import { keep, kept, send } from "./host";
import { linesOf } from "./lines";

/** A template piece of more lines than this is folded at first: it is the runtime's own text. */
const FOLDED_FROM = 12;

interface Shown {
  /** Everything that is drawn of the segment. */
  state: string;
  element: HTMLElement;
}

export class Segments {
  readonly element = el("div", { id: "segments" });
  private shown: Shown[] = [];

  /** Draw `segments`; returns whether anything changed. */
  update(segments: readonly SegmentView[]): boolean {
    const next = segments.map((segment, index) => {
      const state = JSON.stringify([index, segment]);
      const same = this.shown[index];
      return same?.state === state
        ? same
        : { state, element: segmentOf(segment, index, same?.element) };
    });
    const changed =
      next.length !== this.shown.length || next.some((item, index) => item !== this.shown[index]);
    if (changed) {
      next.forEach((item, index) => {
        const old = this.shown[index]?.element;
        if (!old) {
          this.element.append(item.element);
        } else if (old !== item.element) {
          old.replaceWith(item.element);
        }
      });
      this.shown.slice(next.length).forEach((item) => {
        item.element.remove();
      });
      this.shown = next;
    }
    return changed;
  }

  get(index: number): HTMLElement | undefined {
    return this.shown[index]?.element;
  }
}

function segmentOf(
  segment: SegmentView,
  index: number,
  before: HTMLElement | undefined,
): HTMLElement {
  const lines = linesOf(segment, index, before);
  const count = lines.querySelectorAll(".line").length;
  const key = `${segment.kind}:${segment.path ?? segment.note}`;
  const folded = kept.folded[key] ?? (segment.kind === "template" && count > FOLDED_FROM);
  const fold = button("", () => {
    const hide = !lines.hasAttribute("hidden");
    setFolded(hide);
    kept.folded[key] = hide;
    keep();
  });
  const setFolded = (value: boolean) => {
    lines.hidden = value;
    fold.setAttribute("aria-expanded", String(!value));
    const action = value ? t("Show {0} lines", count) : t("Hide");
    fold.textContent = action;
    // What is seen comes first, so that it can be said to open it; what it is about follows.
    fold.setAttribute("aria-label", `${action}: ${segment.path ?? segment.name}`);
  };
  fold.className = "fold";
  setFolded(folded);
  const element = el(
    "section",
    {
      class: "segment",
      "data-kind": segment.kind,
      "data-segment": index,
      "data-uri": segment.uri,
      // The number tells pieces of one name apart, as landmarks must be.
      "aria-label": `${index + 1}. ${segment.name} ${segment.path ?? ""}`.trim(),
    },
    el("h2", { class: "origin" }, el("b", {}, segment.name), link(segment), el("span", { class: "note" }, segment.note)),
    lines,
    segment.cut ? el("p", { class: "cut" }, segment.cut) : null,
  );
  if (count > 1) {
    element.querySelector("h2")?.append(fold);
  }
  return element;
}

function link(segment: SegmentView): HTMLElement | null {
  const { uri, path } = segment;
  if (uri === null || path === null) {
    return null;
  }
  return button(path, () => {
    send({ type: "open", uri, line: segment.startLine ?? 0 });
  }, { class: "link" });
}

/** The files that the runtime does not read, each with the reason. */
export function unreadOf(files: readonly UnreadView[]): HTMLElement {
  return el(
    "div",
    { id: "unread", hidden: files.length === 0 },
    ...files.map((file) =>
      el(
        "section",
        { class: "segment unread", "data-kind": "unread", "data-uri": file.uri, "aria-label": `${file.status} ${file.path}` },
        el(
          "h2",
          { class: "origin" },
          el("b", {}, file.status),
          button(file.path, () => {
            send({ type: "open", uri: file.uri, line: 0 });
          }, { class: "link" }),
          el("span", { class: "note" }, file.reason),
        ),
      ),
    ),
  );
}
