/**
 * Computes what the page must be sent to show a model: only what it does not show yet.
 *
 * A prompt may have 10,000 lines, and each key pressed in a memory file changes one of them.
 */
import type { Mark, SegmentView } from "./segmentView";

/** A segment without its lines and the findings on them. */
export type SegmentHead = Omit<SegmentView, "text" | "marks">;

/**
 * Replaces `removed` lines, starting at line `at` (from 0), with the `added` lines of `text`.
 *
 * One string: postMessage serializes every array element separately.
 */
export interface LinePatch {
  at: number;
  removed: number;
  added: number;
  /** Lines separated by newlines, without a trailing newline. */
  text: string;
}

/** The changes of one segment; an omitted field is unchanged. */
export interface SegmentUpdate {
  head?: SegmentHead;
  marks?: Mark[];
  lines?: LinePatch;
  /** Whether the text ends with a newline. */
  endsWithNewline?: boolean;
}

/** A segment as the page shows it. */
interface Sent {
  head: string;
  marks: string;
  text: string;
  lines: string[];
  endsWithNewline: boolean;
}

/** Remembers what was sent. `next` returns one update per segment, in order. */
export class PageUpdates {
  private sent: Sent[] = [];
  /** Nothing was sent yet, so the next update is complete. */
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
    const { lines, endsWithNewline } = same ? before : splitLines(text);
    const now: Sent = { head: JSON.stringify(head), marks: JSON.stringify(marks), text, lines, endsWithNewline };
    this.sent.push(now);
    return {
      ...(now.head === before?.head ? {} : { head }),
      ...(now.marks === (before?.marks ?? "[]") ? {} : { marks }),
      ...(same ? {} : { lines: difference(before?.lines ?? [], lines) }),
      ...(endsWithNewline === (before?.endsWithNewline ?? false) ? {} : { endsWithNewline }),
    };
  }
}

/** The lines of a text. A trailing newline ends the last line and starts no further one. */
function splitLines(text: string): Pick<Sent, "lines" | "endsWithNewline"> {
  const endsWithNewline = text.endsWith("\n");
  const withoutNewline = endsWithNewline ? text.slice(0, -1) : text;
  return { lines: text === "" ? [] : withoutNewline.split("\n"), endsWithNewline };
}

/** One patch from the first to the last line that differs. */
export function difference(before: readonly string[], after: readonly string[]): LinePatch {
  const shorter = Math.min(before.length, after.length);
  let at = 0;
  while (at < shorter && before[at] === after[at]) {
    at += 1;
  }
  let common = 0;
  while (common < shorter - at && before[before.length - 1 - common] === after[after.length - 1 - common]) {
    common += 1;
  }
  const added = after.slice(at, after.length - common);
  return { at, removed: before.length - common - at, added: added.length, text: added.join("\n") };
}

/** The lines that a patch adds. */
export function addedLines({ added, text }: LinePatch): string[] {
  return added === 0 ? [] : text.split("\n");
}
