/** The lines of a segment in chunks; changing one line updates one chunk. */
import { t } from "../l10n";
import type { Mark } from "../preview/segmentView";
import type { LinePatch, SegmentHead } from "../preview/pageUpdates";
import { addedLines } from "../preview/pageUpdates";
import { Chunk } from "./chunk";
import { el } from "./dom";

/** Lines per chunk; a chunk of more than twice as many is split. */
const CHUNK_LINES = 100;

export class Lines {
  readonly element = el("div", { class: "lines" });
  count = 0;
  private chunks: Chunk[] = [];
  private head: SegmentHead | undefined;
  private marks = new Map<number, Mark[]>();
  /** The line at which the user is. */
  private current: number | undefined;

  setHead(head: SegmentHead): void {
    this.head = head;
    const label = head.path === null ? head.name : `${head.name}: ${head.path}`;
    this.element.setAttribute("aria-label", t("Lines of {0}", label));
  }

  setMarks(marks: readonly Mark[]): void {
    this.marks = new Map();
    for (const mark of marks) {
      this.marks.set(mark.line, [...(this.marks.get(mark.line) ?? []), mark]);
    }
  }

  setCurrent(line: number | undefined): void {
    if (line !== this.current) {
      for (const item of [this.current, (this.current = line)]) {
        const chunk = item === undefined ? undefined : this.chunks[this.indexOf(item)];
        chunk?.decorateRows();
      }
    }
  }

  /** The text of a line. */
  text(line: number): string {
    const chunk = this.chunks[this.indexOf(line)];
    return chunk?.lines[line - chunk.start] ?? "";
  }

  setEndsWithNewline(value: boolean): void {
    this.element.toggleAttribute("data-ends-with-newline", value);
  }

  patch(patch: LinePatch): void {
    const { at, removed } = patch;
    const added = addedLines(patch);
    const first = this.indexOf(at);
    const last = this.indexOf(Math.max(at, at + removed - 1));
    const touched = this.chunks.slice(first, last + 1);
    const [chunk] = touched;
    const offset = at - (chunk?.start ?? 0);
    const size = touched.reduce((sum, item) => sum + item.lines.length, added.length - removed);
    if (chunk && touched.length === 1 && size > 0 && size <= 2 * CHUNK_LINES) {
      chunk.splice(offset, removed, added);
    } else {
      const lines = touched.flatMap((item) => item.lines);
      this.replace(first, touched, [
        ...lines.slice(0, offset),
        ...added,
        ...lines.slice(offset + removed),
      ]);
    }
    this.number();
  }

  /** Update the numbers and marks of all rows. */
  decorate(): void {
    for (const chunk of this.chunks.filter((item) => item.expanded)) {
      chunk.decorateRows();
    }
  }

  /** The row of a line, created if necessary. */
  row(line: number): HTMLElement | undefined {
    const chunk = this.chunks[this.indexOf(line)];
    chunk?.expand();
    return chunk?.rows[line - chunk.start];
  }

  dispose(): void {
    for (const chunk of this.chunks) {
      chunk.dispose();
    }
  }

  /** The index of the chunk with a line; the last chunk for lines after the end. */
  private indexOf(line: number): number {
    const next = this.chunks.findIndex((chunk) => chunk.start > line);
    return Math.max(0, next === -1 ? this.chunks.length - 1 : next - 1);
  }

  private replace(first: number, old: readonly Chunk[], lines: readonly string[]): void {
    const added: Chunk[] = [];
    for (let at = 0; at < lines.length; at += CHUNK_LINES) {
      added.push(new Chunk(lines.slice(at, at + CHUNK_LINES), this.decorateRow));
    }
    const next = this.chunks[first + old.length]?.element ?? null;
    for (const chunk of added) {
      this.element.insertBefore(chunk.element, next);
    }
    for (const chunk of old) {
      chunk.dispose();
    }
    this.chunks = [...this.chunks.slice(0, first), ...added, ...this.chunks.slice(first + old.length)];
  }

  private number(): void {
    this.count = 0;
    for (const chunk of this.chunks) {
      chunk.start = this.count;
      this.count += chunk.lines.length;
    }
    // A listbox without options is invalid.
    if (this.count > 0) {
      this.element.setAttribute("role", "listbox");
    } else {
      this.element.removeAttribute("role");
    }
  }

  private readonly decorateRow = (row: HTMLElement, chunk: Chunk, offset: number): void => {
    const line = chunk.start + offset;
    const marks = this.marks.get(line) ?? [];
    const worst = marks.find((item) => item.severity === "error") ?? marks[0];
    const first = this.head?.startLine ?? null;
    row.className = worst ? `line mark ${worst.severity}` : "line";
    set(row, {
      // Screen readers need a name for an empty option.
      "aria-label": chunk.lines[offset]?.trim() === "" ? t("blank line") : null,
      // Collapsed lines are not options, so the position must be explicit.
      "aria-posinset": line + 1,
      "aria-setsize": this.count,
      "aria-current": line === this.current ? "location" : null,
      title: worst ? marks.map((item) => item.message).join("\n") : null,
      "data-line": line,
      "data-source-line": first === null ? null : first + line,
      // The editor merges this with the segment's context.
      "data-vscode-context": JSON.stringify({ line }),
    });
  };
}

function set(element: HTMLElement, attributes: Record<string, string | number | null>): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null) {
      element.removeAttribute(name);
    } else if (element.getAttribute(name) !== String(value)) {
      element.setAttribute(name, String(value));
    }
  }
}
