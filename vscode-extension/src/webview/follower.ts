/** Scroll sync: follows the editor's cursor and view, and tells the editor what the page shows. */
import type { EditorPosition } from "../preview/messages";
import type { LinePosition, Segments } from "./segments";
import { send } from "./vscodeApi";

export class Follower {
  private at: EditorPosition | undefined;
  /** The page does not show the position yet, because the text of the prompt is older. */
  private pending = false;
  /** The next scroll event is caused by this class, not by the user. */
  private skip = false;
  private frame = 0;
  private sent = "";

  constructor(private readonly segments: Segments) {
    window.addEventListener("scroll", () => {
      this.frame ||= requestAnimationFrame(() => {
        this.frame = 0;
        this.onScroll();
      });
    });
  }

  /** Mark the line of the editor's cursor; scroll to it, or to the first line that the editor shows. */
  follow(at: EditorPosition): void {
    this.at = at;
    this.pending = true;
    this.show();
  }

  /** The prompt has changed: mark the line again, and scroll if the last position was newer. */
  refresh(): void {
    if (this.at) {
      this.show();
      this.pending = false;
    }
  }

  /** Mark a line that the user selected in the page. */
  mark(at: LinePosition): void {
    this.at = undefined;
    this.segments.setCurrent(at);
  }

  private show(): void {
    const { uri, line, top } = this.at ?? { uri: "", line: 0, top: null };
    const current = this.segments.find(uri, line);
    this.segments.setCurrent(current);
    const target = top === null ? current : this.segments.find(uri, top);
    const element = top === null ? target && this.segments.visibleRow(target) : target && this.segments.elementAt(target);
    if (element && this.pending) {
      const before = window.scrollY;
      element.scrollIntoView({ block: top === null ? "nearest" : "start" });
      this.skip ||= window.scrollY !== before;
    }
  }

  /** Report the first visible line if it was the user who scrolled here. */
  private onScroll(): void {
    const own = this.skip;
    this.skip = false;
    if (own || !(document.hasFocus() || document.documentElement.matches(":hover"))) {
      return;
    }
    const at = firstVisible();
    const head = at ? this.segments.get(at.segment)?.head : undefined;
    if (!at || !head?.uri) {
      return;
    }
    const line = (head.startLine ?? 0) + at.line;
    const key = `${head.uri}:${line}`;
    if (key !== this.sent) {
      this.sent = key;
      send({ type: "scrolled", uri: head.uri, line });
    }
  }
}

/** The line below the sticky header; the first line of a segment whose title is there. */
function firstVisible(): LinePosition | undefined {
  const y = (document.getElementById("header")?.getBoundingClientRect().bottom ?? 0) + 2;
  const element = document.elementFromPoint(window.innerWidth / 2, y);
  const segment = element?.closest<HTMLElement>("[data-segment]")?.dataset.segment;
  const line = element?.closest<HTMLElement>(".line")?.dataset.line;
  return segment === undefined ? undefined : { segment: Number(segment), line: Number(line ?? 0) };
}
