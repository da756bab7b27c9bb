/** Runs an action once, after its last request has been followed by a pause. */
export class Debouncer {
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly action: () => void,
    private readonly milliseconds: number,
  ) {}

  schedule(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.action, this.milliseconds);
  }

  dispose(): void {
    clearTimeout(this.timer);
  }
}
