/** Limits automatic restarts of a crashing server: 4 within 3 minutes. */
const WINDOW_MS = 3 * 60_000;
const MAX_RESTARTS = 4;

export class RestartLimiter {
  private crashes: number[] = [];

  /** Record a crash at `now` (milliseconds); returns whether the server may be restarted. */
  mayRestart(now: number): boolean {
    this.crashes = [...this.crashes.filter((time) => now - time < WINDOW_MS), now];
    return this.crashes.length <= MAX_RESTARTS;
  }

  /** Forget recorded crashes, because the user restarted the server. */
  reset(): void {
    this.crashes = [];
  }
}
