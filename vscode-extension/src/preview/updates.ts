/**
 * What the page must be told to show a model: only what it does not show yet.
 *
 * A prompt may have 10,000 lines, and each key pressed in a memory file changes one of them.
 */
import type { Mark, SegmentView } from "./model";

/** All of a segment but its lines and the findings on them. */
export type SegmentHead = Omit<SegmentView, "text" | "marks">;

/**
 * `removed` lines from `at` on (counted from 0) give way to the `added` lines of `text`.
 *
 * One text, for on its way to the page each part of a message costs the editor several visits.
 */
export interface LinePatch {
  at: number;
  removed: number;
  added: number;
  /** Lines are parted by newlines; the last one has none behind it. */
  text: string;
}

/** What is new of one segment; what is left out stays as it is. */
export interface SegmentUpdate {
  head?: SegmentHead;
  marks?: Mark[];
  lines?: LinePatch;
  /** Whether the text ends with a newline. */
  ended?: boolean;
}

/** A segment as the page has it. */
interface Sent {
  head: string;
  marks: string;
  text: string;
  lines: string[];
  ended: boolean;
}

/** Remembers what was sent. One update for each segment, in their order. */
export class Updates {
  private sent: Sent[] = [];
  /** Nothing was sent yet: what is next is built on nothing. */
  isEmpty = true;

  /** The page is a new one and shows nothing. */
  reset(): void {
    this.sent = [];
    this.isEmpty = true;
  }

  next(segments: readonly SegmentView[]): SegmentUpdate[] {
    const before = this.sent;
    this.sent = [];
    this.isEmpty = false;
    return segments.map((segment, index) => this.update(segment, before[index]));
  }

  private update({ text, marks, ...head }: SegmentView, before: Sent | undefined): SegmentUpdate {
    const same = before?.text === text;
    const { lines, ended } = same ? before : linesOf(text);
    const now: Sent = { head: JSON.stringify(head), marks: JSON.stringify(marks), text, lines, ended };
    this.sent.push(now);
    return {
      ...(now.head === before?.head ? {} : { head }),
      ...(now.marks === (before?.marks ?? "[]") ? {} : { marks }),
      ...(same ? {} : { lines: difference(before?.lines ?? [], lines) }),
      ...(ended === (before?.ended ?? false) ? {} : { ended }),
    };
  }
}

/** The lines of a text. A last newline ends a line and begins no further one. */
function linesOf(text: string): Pick<Sent, "lines" | "ended"> {
  const ended = text.endsWith("\n");
  const whole = ended ? text.slice(0, -1) : text;
  return { lines: text === "" ? [] : whole.split("\n"), ended };
}

/** One patch from the first to the last line that differs. */
export function difference(before: readonly string[], after: readonly string[]): LinePatch {
  const most = Math.min(before.length, after.length);
  let at = 0;
  while (at < most && before[at] === after[at]) {
    at += 1;
  }
  let kept = 0;
  while (kept < most - at && before[before.length - 1 - kept] === after[after.length - 1 - kept]) {
    kept += 1;
  }
  const added = after.slice(at, after.length - kept);
  return { at, removed: before.length - kept - at, added: added.length, text: added.join("\n") };
}

/** The lines that a patch adds. */
export function addedLines({ added, text }: LinePatch): string[] {
  return added === 0 ? [] : text.split("\n");
}
