/** The server's answers by key. An answer that was requested before an invalidation is not stored. */
export class Answers<T> {
  private readonly known = new Map<string, T>();
  private invalidations = 0;
  /** The number of requests that are not answered yet. */
  private pending = 0;

  get size(): number {
    return this.known.size;
  }

  values(): T[] {
    return [...this.known.values()];
  }

  /** The stored answer, or a new one. */
  async get(key: string, request: () => Promise<T | undefined>): Promise<T | undefined> {
    const known = this.known.get(key);
    if (known !== undefined) {
      return known;
    }
    const { invalidations } = this;
    this.pending += 1;
    const answer = await request().finally(() => {
      this.pending -= 1;
    });
    if (answer !== undefined && invalidations === this.invalidations) {
      this.known.set(key, answer);
    }
    return answer;
  }

  /** Drop the stored answers that `isStale`, and those not received yet; returns whether there are any. */
  invalidate(isStale: (answer: T) => boolean = () => true): boolean {
    this.invalidations += 1;
    const stale = [...this.known].filter(([, answer]) => isStale(answer));
    stale.forEach(([key]) => this.known.delete(key));
    return stale.length > 0 || this.pending > 0;
  }
}
