/** The single preview panel: creates it, brings it to the front, restores it with the window. */
import * as vscode from "vscode";
import { t } from "../l10n";
import { promptRequest } from "../protocol";
import { currentContext } from "../requestContext";
import type { LanguageServer } from "../server/server";
import type { PageActions } from "./pageActions";
import type { LineContext } from "./lineCommands";
import { CURRENT, PreviewPanel } from "./panel";
import { VIEW_TYPE } from "./previewTab";
import { PromptDocuments } from "./promptDocuments";
import type { Place } from "./promptSelection";

export class PreviewPanels implements vscode.Disposable, vscode.WebviewPanelSerializer {
  private panel: PreviewPanel | undefined;
  private readonly documents = new PromptDocuments();
  private readonly registration = vscode.window.registerWebviewPanelSerializer(VIEW_TYPE, this);

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly server: LanguageServer,
  ) {}

  /** Show the prompt for `place`, by default for the active editor. */
  show(place: Place = currentContext()): void {
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

  /** Open the prompt as a read-only document: the panel's prompt, or that of the active editor. */
  async openText(): Promise<void> {
    const prompt = await this.server.request(promptRequest, this.panel?.context ?? currentContext());
    if (prompt) {
      const uri = this.documents.put(CURRENT, prompt.text);
      await vscode.window.showTextDocument(uri, { preview: false });
    }
  }

  /** Explain a line in the panel; by default the selected one. */
  explain(at: LineContext | undefined): void {
    this.openPanel().lines.explain(at);
  }

  /** Open the source of a line; by default of the selected one. */
  async goToSource(at: LineContext | undefined): Promise<void> {
    await this.openPanel().lines.goToSource(at);
  }

  /** The actions of the open panel. */
  get actions(): PageActions {
    return this.openPanel().actions;
  }

  /** Show why a file is part of a runtime's prompt: its first line, explained. */
  explainFile(uri: string, runtime: string): void {
    this.show({ uri });
    this.pickRuntime(runtime);
    this.openPanel().lines.explainFile(uri);
  }

  /** Show the prompt of a runtime. */
  pickRuntime(id: string): void {
    this.openPanel().pick("runtime", id);
  }

  /** Copy the text that is selected in the panel; without one, a line. */
  copySelection(at: LineContext | undefined): void {
    this.openPanel().lines.copySelection(at);
  }

  deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    this.adopt(panel, currentContext());
    return Promise.resolve();
  }

  dispose(): void {
    this.panel?.dispose();
    this.registration.dispose();
    this.documents.dispose();
  }

  private openPanel(): PreviewPanel {
    if (!this.panel) {
      throw new Error(t("Open the preview first."));
    }
    return this.panel;
  }

  private adopt(panel: vscode.WebviewPanel, place: Place): void {
    this.panel?.dispose();
    const preview = new PreviewPanel(this.context, this.server, panel, this.documents, place);
    this.panel = preview;
    panel.onDidDispose(() => {
      if (this.panel === preview) {
        this.panel = undefined;
      }
      preview.dispose();
    });
  }
}
