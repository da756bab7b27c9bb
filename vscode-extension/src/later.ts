/** Doing something once, a little after the last time it was asked for. */
export class Later {
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly action: () => void,
    private readonly milliseconds: number,
  ) {}

  ask(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.action, this.milliseconds);
  }

  dispose(): void {
    clearTimeout(this.timer);
  }
}
