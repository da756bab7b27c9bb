/** Snapshots of the saved prompt in this session, to compare with. */
import type { Prompt } from "../protocol";

export interface Snapshot {
  /** Milliseconds since the epoch. */
  at: number;
  hash: string;
  /** Secrets are masked. */
  text: string;
  tokens: number;
}

const MAX_SNAPSHOTS = 20;

export class History {
  private snapshots: Snapshot[] = [];

  get newestFirst(): readonly Snapshot[] {
    return this.snapshots;
  }

  /** Add the prompt saved at `at`; returns the previous snapshot if it differs. */
  add(prompt: Pick<Prompt, "hash" | "text" | "tokens">, at: number): Snapshot | undefined {
    const [latest] = this.snapshots;
    if (latest?.hash === prompt.hash) {
      return undefined;
    }
    this.snapshots = [{ at, hash: prompt.hash, text: prompt.text, tokens: prompt.tokens }, ...this.snapshots].slice(0, MAX_SNAPSHOTS);
    return latest;
  }

  clear(): void {
    this.snapshots = [];
  }
}

/** How many lines were added and removed between two texts. Order and blank lines are ignored. */
export function lineChanges(before: string, after: string): { added: number; removed: number } {
  const counts = new Map<string, number>();
  for (const [text, step] of [[before, -1], [after, 1]] as const) {
    for (const line of text.split("\n").filter((item) => item.trim() !== "")) {
      counts.set(line, (counts.get(line) ?? 0) + step);
    }
  }
  let added = 0;
  let removed = 0;
  for (const count of counts.values()) {
    added += Math.max(0, count);
    removed += Math.max(0, -count);
  }
  return { added, removed };
}
