/** The lines of a segment, in chunks; a change of one line touches one chunk. */
import { t } from "../l10n";
import type { Mark } from "../preview/model";
import type { LinePatch, SegmentHead } from "../preview/updates";
import { addedLines } from "../preview/updates";
import { Chunk } from "./chunk";
import { el } from "./dom";

/** Lines in a chunk; one that grows to twice as many is parted. */
const CHUNK = 100;

export class Lines {
  readonly element = el("div", { class: "lines" });
  count = 0;
  private chunks: Chunk[] = [];
  private head: SegmentHead | undefined;
  private marks = new Map<number, Mark[]>();

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

  setEnded(ended: boolean): void {
    this.element.toggleAttribute("data-ends-with-newline", ended);
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
    if (chunk && touched.length === 1 && size > 0 && size <= 2 * CHUNK) {
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

  /** Give all rows their numbers and marks, after whatever changed. */
  dress(): void {
    for (const chunk of this.chunks.filter((item) => item.drawn)) {
      chunk.dressRows();
    }
  }

  /** The row of a line, drawn if need be. */
  row(line: number): HTMLElement | undefined {
    const chunk = this.chunks[this.indexOf(line)];
    chunk?.draw();
    return chunk?.rows[line - chunk.start];
  }

  dispose(): void {
    for (const chunk of this.chunks) {
      chunk.dispose();
    }
  }

  /** The index of the chunk that holds a line; of the last one for what is behind it. */
  private indexOf(line: number): number {
    const behind = this.chunks.findIndex((chunk) => chunk.start > line);
    return Math.max(0, behind === -1 ? this.chunks.length - 1 : behind - 1);
  }

  private replace(first: number, old: readonly Chunk[], lines: readonly string[]): void {
    const fresh: Chunk[] = [];
    for (let at = 0; at < lines.length; at += CHUNK) {
      fresh.push(new Chunk(lines.slice(at, at + CHUNK), this.dressRow));
    }
    const next = this.chunks[first + old.length]?.element ?? null;
    for (const chunk of fresh) {
      this.element.insertBefore(chunk.element, next);
    }
    for (const chunk of old) {
      chunk.dispose();
    }
    this.chunks = [...this.chunks.slice(0, first), ...fresh, ...this.chunks.slice(first + old.length)];
  }

  private number(): void {
    this.count = 0;
    for (const chunk of this.chunks) {
      chunk.start = this.count;
      this.count += chunk.lines.length;
    }
    // A list without options is none.
    if (this.count > 0) {
      this.element.setAttribute("role", "listbox");
    } else {
      this.element.removeAttribute("role");
    }
  }

  private readonly dressRow = (row: HTMLElement, chunk: Chunk, offset: number): void => {
    const line = chunk.start + offset;
    const marks = this.marks.get(line) ?? [];
    const worst = marks.find((item) => item.severity === "error") ?? marks[0];
    const first = this.head?.startLine ?? null;
    row.className = worst ? `line mark ${worst.severity}` : "line";
    set(row, {
      // An option without text has no name for a screen reader.
      "aria-label": chunk.lines[offset]?.trim() === "" ? t("blank line") : null,
      // The other lines of the list are no options as long as they are out of sight.
      "aria-posinset": line + 1,
      "aria-setsize": this.count,
      title: worst ? marks.map((item) => item.message).join("\n") : null,
      "data-line": line,
      "data-source-line": first === null ? null : first + line,
      // The editor adds what the segment says of itself.
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
