/**
 * A run of lines of a segment.
 *
 * Near the window its lines are rows that can be chosen; elsewhere they are one plain text, which
 * costs next to nothing and which searching, selecting and screen readers still find. The browser
 * lays neither out before it comes into sight (`content-visibility` in preview.css).
 */
import { el } from "./dom";

/** How far from the window lines become rows. */
const NEAR = "1000px 0px";

/** The height of a line without a break, in `em`: that of preview.css. */
const LINE_EM = 1.55;

const chunks = new WeakMap<Element, Chunk>();
const watch = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      const chunk = chunks.get(target);
      if (isIntersecting) {
        chunk?.draw();
      } else {
        chunk?.rest();
      }
    }
  },
  { root: document, rootMargin: NEAR },
);

export class Chunk {
  readonly element = el("div", { class: "chunk", role: "presentation" });
  drawn = false;
  /** The place of the first line in its segment; kept by the segment. */
  start = 0;

  /** `dress` gives a row, of the line at `offset`, all but its text. */
  constructor(
    public lines: string[],
    private readonly dress: (row: HTMLElement, chunk: Chunk, offset: number) => void,
  ) {
    this.element.append(this.plain());
    this.size();
    chunks.set(this.element, this);
    watch.observe(this.element);
  }

  dispose(): void {
    watch.unobserve(this.element);
    this.element.remove();
  }

  /** Replace lines; the rows of the others stay what they are. */
  splice(at: number, removed: number, added: readonly string[]): void {
    this.lines = [...this.lines.slice(0, at), ...added, ...this.lines.slice(at + removed)];
    this.size();
    if (!this.drawn) {
      this.element.replaceChildren(this.plain());
      return;
    }
    const gone = this.rows.slice(at, at + removed);
    const next = this.rows[at + removed] ?? null;
    for (const text of added) {
      this.element.insertBefore(this.rowOf(text), next);
    }
    for (const row of gone) {
      row.remove();
    }
  }

  get rows(): HTMLElement[] {
    return this.drawn ? ([...this.element.children] as HTMLElement[]) : [];
  }

  draw(): void {
    if (!this.drawn) {
      this.drawn = true;
      this.element.replaceChildren(...this.lines.map((text) => this.rowOf(text)));
      this.dressRows();
    }
  }

  dressRows(): void {
    this.rows.forEach((row, offset) => {
      this.dress(row, this, offset);
    });
  }

  /** Out of sight: plain text again, unless the keyboard's place or a selection is in it. */
  rest(): void {
    const selecting = document.getSelection()?.isCollapsed === false;
    if (this.drawn && !selecting && !this.element.querySelector('[tabindex="0"]')) {
      this.drawn = false;
      this.element.replaceChildren(this.plain());
    }
  }

  private rowOf(text: string): HTMLElement {
    return el("div", { class: "line", role: "option", "aria-selected": "false", tabindex: "-1" }, text);
  }

  /** The browser leaves out a last newline, so there is one more. */
  private plain(): string {
    return `${this.lines.join("\n")}\n`;
  }

  private size(): void {
    const height = this.lines.length * LINE_EM;
    this.element.style.setProperty("contain-intrinsic-height", `auto ${height}em`);
  }
}
