/**
 * A chunk of consecutive lines of a segment.
 *
 * Near the viewport its lines are selectable rows. Elsewhere they are one text node, which is cheap
 * and still found by search, selection and screen readers. The browser lays out neither before it is
 * visible (`content-visibility` in preview.css).
 */
import { el } from "./dom";

/** The distance from the viewport at which lines become rows. */
const NEAR = "1000px 0px";

/** What the update of a chunk takes, and how long it may wait for time without a frame (milliseconds). */
const CHUNK_MS = 4;
const LATEST_MS = 150;

/** The height of an unwrapped line in `em`, as in preview.css. */
const LINE_EM = 1.55;

const chunks = new WeakMap<Element, Chunk>();
/** The chunks that came near the viewport, or left it, and are not updated yet. */
const near = new Map<Chunk, boolean>();
let isScheduled = false;

const watch = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      const chunk = chunks.get(target);
      if (chunk?.observed) {
        near.set(chunk, isIntersecting);
      } else if (chunk) {
        chunk.observed = true; // the first rows are needed at once
        if (isIntersecting) {
          chunk.expand();
        }
      }
    }
    schedule();
  },
  { root: document, rootMargin: NEAR },
);

/** Update chunks between frames, the last ones at the latest after `LATEST_MS`. */
function schedule(): void {
  if (!isScheduled && near.size > 0) {
    isScheduled = true;
    requestIdleCallback(update, { timeout: LATEST_MS });
  }
}

/** Update at least one chunk, and others as long as no frame is due. */
function update(deadline: IdleDeadline): void {
  isScheduled = false;
  for (const [chunk, isNear] of near) {
    near.delete(chunk);
    if (isNear) {
      chunk.expand();
    } else {
      chunk.collapse();
    }
    if (deadline.timeRemaining() < CHUNK_MS) {
      break;
    }
  }
  schedule();
}

export class Chunk {
  readonly element = el("div", { class: "chunk", role: "presentation" });
  /** The lines are rows. */
  expanded = false;
  /** The browser has said whether it is near the viewport. */
  observed = false;
  /** The number of the first line in the segment; set by the segment. */
  start = 0;

  /** `decorate` sets the attributes of the row for the line at `offset`. */
  constructor(
    public lines: string[],
    private readonly decorate: (row: HTMLElement, chunk: Chunk, offset: number) => void,
  ) {
    this.element.append(this.plain());
    this.setSize();
    chunks.set(this.element, this);
    watch.observe(this.element);
  }

  dispose(): void {
    watch.unobserve(this.element);
    near.delete(this);
    this.element.remove();
  }

  /** Replace lines; the other rows are kept. */
  splice(at: number, removed: number, added: readonly string[]): void {
    this.lines = [...this.lines.slice(0, at), ...added, ...this.lines.slice(at + removed)];
    this.setSize();
    if (!this.expanded) {
      this.element.replaceChildren(this.plain());
      return;
    }
    const removedRows = this.rows.slice(at, at + removed);
    const next = this.rows[at + removed] ?? null;
    for (const text of added) {
      this.element.insertBefore(this.createRow(text), next);
    }
    for (const row of removedRows) {
      row.remove();
    }
  }

  get rows(): HTMLElement[] {
    return this.expanded ? ([...this.element.children] as HTMLElement[]) : [];
  }

  expand(): void {
    if (!this.expanded) {
      this.expanded = true;
      this.element.replaceChildren(...this.lines.map((text) => this.createRow(text)));
      this.decorateRows();
    }
  }

  decorateRows(): void {
    this.rows.forEach((row, offset) => {
      this.decorate(row, this, offset);
    });
  }

  /** Replace the rows by text, unless they contain the selected line or a text selection. */
  collapse(): void {
    const selecting = document.getSelection()?.isCollapsed === false;
    if (this.expanded && !selecting && !this.element.querySelector('[tabindex="0"]')) {
      this.expanded = false;
      this.element.replaceChildren(this.plain());
    }
  }

  private createRow(text: string): HTMLElement {
    return el("div", { class: "line", role: "option", "aria-selected": "false", tabindex: "-1" }, text);
  }

  /** With one more newline, because the browser does not render the last one. */
  private plain(): string {
    return `${this.lines.join("\n")}\n`;
  }

  private setSize(): void {
    const height = this.lines.length * LINE_EM;
    this.element.style.setProperty("contain-intrinsic-height", `auto ${height}em`);
  }
}
