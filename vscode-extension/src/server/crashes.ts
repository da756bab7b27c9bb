/** When a server that went away is started again: not more than 4 times in 3 minutes. */
const WINDOW_MS = 3 * 60_000;
const MOST = 4;

export class Crashes {
  private times: number[] = [];

  /** Count a crash at `now` (milliseconds); whether another start is worth a try. */
  mayRestart(now: number): boolean {
    this.times = [...this.times.filter((time) => now - time < WINDOW_MS), now];
    return this.times.length <= MOST;
  }

  /** The user starts it by hand: old crashes count no more. */
  forget(): void {
    this.times = [];
  }
}
