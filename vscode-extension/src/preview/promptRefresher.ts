/** Keeps the shown prompt current: one request at a time, debounced, none while nothing shows it. */
import { Debouncer } from "../debouncer";
import type { PromptParams } from "../protocol";
import type { LanguageServer } from "../server/server";
import type { ShownPrompt } from "./incrementalPrompt";
import { IncrementalPrompt } from "./incrementalPrompt";

/** What the refresher needs from the panel. */
export interface PromptConsumer {
  /** The parameters of a request made now. */
  params(): PromptParams;
  /** Whether anything shows the prompt. */
  isShown(): boolean;
  onPrompt(prompt: ShownPrompt): void;
  onError(error: unknown): void;
}

export class PromptRefresher {
  private readonly prompt: IncrementalPrompt;
  /** The client sends a change to the server before the request that asks about it. */
  private readonly debouncer = new Debouncer(() => void this.refresh(), 0);
  private repeat = false;
  private stale = false;
  requesting = false;
  private isDisposed = false;

  constructor(
    server: Pick<LanguageServer, "request">,
    private readonly consumer: PromptConsumer,
  ) {
    this.prompt = new IncrementalPrompt(server);
  }

  /** An answer that is still to come is dropped. */
  dispose(): void {
    this.isDisposed = true;
    this.debouncer.dispose();
  }

  /** Refresh after the current batch of changes. */
  schedule(): void {
    this.debouncer.schedule();
  }

  /**
   * Request the prompt. A call during a request repeats it once afterwards; a call while nothing
   * shows the prompt is deferred to {@link catchUp}.
   */
  async refresh(): Promise<void> {
    if (this.isDisposed) {
      return;
    }
    if (this.requesting) {
      this.repeat = true;
      return;
    }
    this.stale = !this.consumer.isShown();
    if (this.stale) {
      return;
    }
    this.requesting = true;
    await this.request();
    this.requesting = false;
    if (this.repeat) {
      this.repeat = false;
      await this.refresh();
    }
  }

  /** Let the next {@link catchUp} request the prompt. */
  invalidate(): void {
    this.stale = true;
  }

  /** Run a deferred refresh. */
  catchUp(): void {
    if (this.stale) {
      void this.refresh();
    }
  }

  /** Deliver the answer unless the parameters have changed since the request. */
  private async request(): Promise<void> {
    const params = this.consumer.params();
    const isCurrent = () => !this.isDisposed && JSON.stringify(params) === JSON.stringify(this.consumer.params());
    try {
      const prompt = await this.prompt.request(params);
      if (prompt && isCurrent()) {
        this.consumer.onPrompt(prompt);
      }
    } catch (error) {
      if (isCurrent()) {
        this.consumer.onError(error);
      }
    }
  }
}
