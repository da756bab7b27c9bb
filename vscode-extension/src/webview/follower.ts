/** Scroll sync: follows the editor's cursor and view, and tells the editor what the page shows. */
import type { EditorPosition } from "../preview/messages";
import type { LinePosition, Segments } from "./segments";
import { send } from "./vscodeApi";

/** The editor is told at most this often: to move it is more work than to scroll the page (milliseconds). */
const REPORT_MS = 100;

/** A change of the text reaches the page this much later than the cursor (milliseconds). */
const PENDING_MS = 1_000;

export class Follower {
  private at: EditorPosition | undefined;
  /** Until then a new text of the prompt scrolls to the position, which may not be in the old text. */
  private pendingUntil = 0;
  /** The next scroll event is caused by this class, not by the user. */
  private skip = false;
  private timer = 0;
  private sent = "";

  constructor(private readonly segments: Segments) {
    window.addEventListener("scroll", () => {
      const own = this.skip;
      this.skip = false;
      if (!own) {
        this.schedule();
      }
    });
  }

  /** Mark the line of the editor's cursor; scroll to it, or to the first line that the editor shows. */
  follow(at: EditorPosition): void {
    this.at = at;
    this.pendingUntil = performance.now() + PENDING_MS;
    this.show();
  }

  /** The prompt has changed: mark the line again, and scroll if the position is as new. */
  refresh(): void {
    if (this.at) {
      this.show();
    }
  }

  /** Mark a line that the user selected in the page. */
  mark(at: LinePosition): void {
    this.at = undefined;
    this.segments.setCurrent(at);
  }

  /** Report soon, after a frame: then the page is laid out, and a look at it costs nothing. */
  private schedule(): void {
    this.timer ||= window.setTimeout(() => {
      requestAnimationFrame(() => {
        window.setTimeout(() => {
          this.timer = 0;
          this.onScroll();
        });
      });
    }, REPORT_MS);
  }

  private show(): void {
    const { uri, line, top } = this.at ?? { uri: "", line: 0, top: null };
    const current = this.segments.find(uri, line);
    this.segments.setCurrent(current);
    if (performance.now() > this.pendingUntil) {
      return;
    }
    const target = top === null ? current : this.segments.find(uri, top);
    const element = top === null ? target && this.segments.visibleRow(target) : target && this.segments.elementAt(target);
    if (element) {
      const before = window.scrollY;
      element.scrollIntoView({ block: top === null ? "nearest" : "start" });
      this.skip ||= window.scrollY !== before;
    }
  }

  /** Report the first visible line if it was the user who scrolled here. */
  private onScroll(): void {
    if (!(document.hasFocus() || document.documentElement.matches(":hover"))) {
      return;
    }
    this.pendingUntil = 0;
    const at = firstVisible();
    const head = at && this.segments.get(at.segment)?.head;
    if (!head?.uri) {
      return;
    }
    if (at?.line === undefined) {
      this.schedule(); // its lines become rows soon
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

/** The line below the sticky header: the first one at a title, unknown in a chunk without rows. */
function firstVisible(): { segment: number; line: number | undefined } | undefined {
  const y = (document.getElementById("header")?.getBoundingClientRect().bottom ?? 0) + 2;
  const element = document.elementFromPoint(window.innerWidth / 2, y);
  const segment = element?.closest<HTMLElement>("[data-segment]")?.dataset.segment;
  const row = element?.closest<HTMLElement>(".line")?.dataset.line;
  const line = row === undefined ? (element?.closest(".chunk") ? undefined : 0) : Number(row);
  return segment === undefined ? undefined : { segment: Number(segment), line };
}
