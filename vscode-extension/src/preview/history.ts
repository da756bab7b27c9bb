/** The saved states of the prompt in this session, for "what did it say before?". */
import type { Prompt } from "../protocol";

export interface State {
  /** Milliseconds since the epoch. */
  at: number;
  hash: string;
  /** Secrets are masked. */
  text: string;
}

/** How many states are kept; the oldest goes first. */
const MOST = 20;

export class History {
  private states: State[] = [];

  /** All states, newest first. */
  get newestFirst(): readonly State[] {
    return this.states;
  }

  /** Note the saved prompt at `at`; the state before it where it differs. */
  add(prompt: Pick<Prompt, "hash" | "text">, at: number): State | undefined {
    const [latest] = this.states;
    if (latest?.hash === prompt.hash) {
      return undefined;
    }
    this.states = [{ at, hash: prompt.hash, text: prompt.text }, ...this.states].slice(0, MOST);
    return latest;
  }

  /** Another runtime or agent: what was before is no earlier state of it. */
  clear(): void {
    this.states = [];
  }
}

/** How many lines came and went between two texts, whatever their order. Blank lines do not count. */
export function lineChanges(before: string, after: string): { added: number; removed: number } {
  const counts = new Map<string, number>();
  for (const [text, sign] of [[before, -1], [after, 1]] as const) {
    for (const line of text.split("\n").filter((item) => item.trim() !== "")) {
      counts.set(line, (counts.get(line) ?? 0) + sign);
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
