/** The one panel of the prompt preview: made, brought to the front, restored with the window. */
import * as vscode from "vscode";
import { t } from "../l10n";
import { currentPlace } from "../place";
import { promptRequest } from "../protocol";
import type { LanguageServer } from "../server/server";
import type { LineContext } from "./panel";
import { CURRENT, PreviewPanel } from "./panel";
import { PromptTexts } from "./texts";

export const VIEW_TYPE = "agentMemory.preview";

/** Makes the panel, or brings it to the front. */
export class PreviewPanels implements vscode.Disposable, vscode.WebviewPanelSerializer {
  private panel: PreviewPanel | undefined;
  private readonly texts = new PromptTexts();
  private readonly registration = vscode.window.registerWebviewPanelSerializer(VIEW_TYPE, this);

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly server: LanguageServer,
  ) {}

  /** Show the prompt of `place`, by default that of the active editor. */
  show(place: { uri?: string } = currentPlace()): void {
    if (this.panel) {
      this.panel.reveal(place);
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      VIEW_TYPE,
      t("Prompt Preview"),
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableFindWidget: true },
    );
    this.adopt(panel, place);
  }

  /** The prompt as a read-only document: of the panel where there is one, else of this place. */
  async openText(): Promise<void> {
    const prompt = await this.server.request(promptRequest, this.panel?.target() ?? currentPlace());
    if (prompt) {
      const uri = this.texts.put(CURRENT, prompt.text);
      await vscode.window.showTextDocument(uri, { preview: false });
    }
  }

  /** Of the line that is chosen in the panel, where none is given. */
  explain(at: LineContext | undefined): void {
    this.shown().explain(at);
  }

  /** As {@link explain}. */
  async goToSource(at: LineContext | undefined): Promise<void> {
    await this.shown().goToSource(at);
  }

  deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    this.adopt(panel, currentPlace());
    return Promise.resolve();
  }

  dispose(): void {
    this.panel?.dispose();
    this.registration.dispose();
    this.texts.dispose();
  }

  private shown(): PreviewPanel {
    if (!this.panel) {
      throw new Error(t("Open the preview first."));
    }
    return this.panel;
  }

  private adopt(panel: vscode.WebviewPanel, place: { uri?: string }): void {
    this.panel?.dispose();
    const preview = new PreviewPanel(this.context, this.server, panel, this.texts, place);
    this.panel = preview;
    panel.onDidDispose(() => {
      if (this.panel === preview) {
        this.panel = undefined;
      }
      preview.dispose();
    });
  }
}
