/** The commands for one line of the prompt: explain it, open its source, copy it. */
import type { ShownPrompt } from "./incrementalPrompt";
import type { PageActions } from "./pageActions";
import type { WebviewPage } from "./webviewPage";

/** The line of the page on which a context menu was opened; both numbers start at 0. */
export interface LineContext {
  segment: number;
  line: number;
}

export class LineCommands {
  /** `prompt` returns the shown prompt. */
  constructor(
    private readonly page: WebviewPage,
    private readonly actions: PageActions,
    private readonly prompt: () => ShownPrompt | undefined,
  ) {}

  /** Explain in the page why a line is part of the prompt; by default the line selected there. */
  explain(at: LineContext | undefined): void {
    this.page.post({ type: "explain", at: at && { segment: at.segment, line: at.line } });
  }

  /** Explain the first line of a file as soon as the page shows it. */
  explainFile(uri: string): void {
    this.page.whenReady({ type: "explainFile", uri });
  }

  /** Open the source of a line; by default of the line selected in the page. */
  async goToSource(at: LineContext | undefined): Promise<void> {
    const segment = at && this.prompt()?.segments[at.segment];
    if (!at) {
      this.page.post({ type: "goToSource" });
    } else if (segment?.uri) {
      await this.actions.open(segment.uri, (segment.startLine ?? 0) + at.line);
    }
  }

  /** Copy the text that is selected in the page; without one, a line. */
  copySelection(at: LineContext | undefined): void {
    this.page.post({ type: "copySelection", at: at && { segment: at.segment, line: at.line } });
  }
}
