/** The prompt preview: one panel beside the editor that follows files, settings and the server. */
import * as os from "node:os";
import * as vscode from "vscode";
import { t } from "../l10n";
import { Later } from "../later";
import type { Place, Prompt, PromptParams, Sources } from "../protocol";
import { promptRequest, sourcesRequest } from "../protocol";
import type { LanguageServer } from "../server/server";
import { compare, compareTexts } from "./compare";
import { copyPrompt } from "./copy";
import { findingsOf } from "./findings";
import { page } from "./html";
import type { FromPage, ToPage } from "./messages";
import { previewModel } from "./model";
import { shortener } from "./paths";
import { mayReveal } from "./reveal";
import { SavedStates } from "./saved";
import type { PromptTexts } from "./texts";
import { Updates } from "./updates";

/** The name of the document that shows what the panel shows. */
export const CURRENT = "prompt";

/** The line of the page that a context menu was opened on; both count from 0. */
export interface LineContext {
  segment: number;
  line: number;
}

/** One panel, for as long as it is open. */
export class PreviewPanel implements vscode.Disposable {
  private readonly listeners: { dispose(): unknown }[];
  private readonly saved: SavedStates;
  private choice: { runtime: string; agent: string } = { runtime: "auto", agent: "auto" };
  private revealed = false;
  private ready = false;
  /** The page has shown no prompt yet. */
  private fresh = true;
  private readonly updates = new Updates();
  /** Findings come file by file; the page is drawn once for all of them. */
  private readonly renderLater = new Later(() => {
    this.render();
  }, 60);
  /** The client has the change before the server is asked about it. */
  private readonly refreshLater = new Later(() => {
    void this.refresh();
  }, 0);
  private asking = false;
  private askAgain = false;
  private known: Sources | undefined;
  prompt: Prompt | undefined;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly server: LanguageServer,
    private readonly panel: vscode.WebviewPanel,
    private readonly texts: PromptTexts,
    private place: { uri?: string },
  ) {
    this.saved = new SavedStates(server, () => this.target());
    this.listeners = [
      this.saved,
      this.saved.onDidChange((notice) => {
        this.post({ type: "stale", notice });
      }),
      server.onDidChange((change) => {
        void this.refresh();
        this.saved.note(change);
      }),
      server.onDidChangeState((state) => {
        this.post({ type: "server", state });
        if (state === "running") {
          void this.refresh();
        }
      }),
      this.renderLater,
      this.refreshLater,
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (this.prompt?.sources.some(({ uri }) => uri === document.uri.toString())) {
          this.refreshLater.ask();
        }
      }),
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        if (this.prompt?.sources.some(({ uri }) => uris.some((item) => item.toString() === uri))) {
          this.renderLater.ask();
        }
      }),
      panel.webview.onDidReceiveMessage((message: FromPage) => {
        void this.receive(message).catch((error: unknown) => {
          this.fail(error);
        });
      }),
      panel.onDidChangeViewState(() => {
        if (!panel.visible) {
          this.ready = false;
          this.mask();
        }
      }),
    ];
    this.load();
    void this.refresh(); // while the page is loaded
  }

  dispose(): void {
    this.listeners.forEach((item) => void item.dispose());
    this.panel.dispose();
  }

  reveal(place: { uri?: string }): void {
    this.panel.reveal(undefined, true);
    this.place = place;
    void this.refresh();
  }

  /** Show in the page why a line is part of the prompt. */
  explain({ segment, line }: LineContext): void {
    this.post({ type: "why", segment, line });
  }

  async goToSource({ segment, line }: LineContext): Promise<void> {
    const piece = this.prompt?.segments[segment];
    if (piece?.uri) {
      await this.open(piece.uri, (piece.startLine ?? 0) + line);
    }
  }

  /** Whose prompt is shown. */
  target(): Place {
    const { runtime, agent } = this.choice;
    return {
      ...this.place,
      ...(runtime === "auto" ? {} : { runtime }),
      ...(agent === "auto" ? {} : { agent }),
    };
  }

  /** Ask anew. Called while an answer is awaited, it asks once more after it. */
  async refresh(): Promise<void> {
    if (this.asking) {
      this.askAgain = true;
      return;
    }
    this.asking = true;
    await this.ask();
    this.asking = false;
    if (this.askAgain) {
      this.askAgain = false;
      await this.refresh();
    }
  }

  private async ask(): Promise<void> {
    const question = this.question();
    const isCurrent = () => JSON.stringify(question) === JSON.stringify(this.question());
    try {
      const [prompt, known] = await Promise.all([
        this.server.request(promptRequest, question),
        this.server.request(sourcesRequest, this.target()),
      ]);
      if (prompt && known && isCurrent()) {
        await this.take(prompt, known);
      }
    } catch (error) {
      if (isCurrent()) {
        this.fail(error);
      }
    }
  }

  /** What is hidden is masked again. */
  private mask(): void {
    if (this.revealed) {
      this.revealed = false;
      this.prompt = undefined;
      void this.refresh();
    }
  }

  private question(): PromptParams {
    return { ...this.target(), ...(this.revealed ? { reveal: true } : {}) };
  }

  private async take(prompt: Prompt, known: Sources): Promise<void> {
    if (this.known && whose(this.known) !== whose(known)) {
      this.saved.clear(); // what was before is no earlier state of another prompt
    }
    this.prompt = prompt;
    this.known = known;
    if (!this.revealed) {
      this.texts.put(CURRENT, prompt.text);
    }
    this.render();
    await this.saved.start();
  }

  private load(): void {
    const { webview } = this.panel;
    const file = (...parts: string[]) => vscode.Uri.joinPath(this.context.extensionUri, ...parts);
    webview.options = {
      enableScripts: true,
      localResourceRoots: [file("dist"), file("media")],
    };
    this.panel.iconPath = {
      light: file("media", "preview-light.svg"),
      dark: file("media", "preview-dark.svg"),
    };
    webview.html = page({
      cspSource: webview.cspSource,
      script: webview.asWebviewUri(file("dist", "preview.js")).toString(),
      style: webview.asWebviewUri(file("media", "preview.css")).toString(),
      locale: vscode.env.language,
      title: t("Prompt Preview"),
      bundle: vscode.l10n.bundle ?? {},
    });
  }

  private render(): void {
    const { prompt, known } = this;
    if (!prompt || !known || !this.ready) {
      return;
    }
    const folders = vscode.workspace.workspaceFolders?.map((item) => item.uri.fsPath) ?? [];
    const model = previewModel(prompt, {
      locale: vscode.env.language,
      shorten: shortener(folders, os.homedir()),
      findings: findingsOf,
    });
    const { segments, ...frame } = model;
    const { runtimes, agents } = known;
    this.post({
      type: "model",
      whole: this.fresh,
      frame,
      segments: this.updates.next(segments),
      pickers: { runtimes, agents, ...this.choice },
      revealed: this.revealed,
    });
    this.fresh = false;
  }

  private async receive(message: FromPage): Promise<void> {
    switch (message.type) {
      case "ready":
        this.ready = true;
        this.fresh = true;
        this.updates.reset();
        this.post({ type: "server", state: this.server.state });
        this.post({ type: "stale", notice: this.saved.notice });
        this.render();
        return this.prompt ? undefined : this.refresh();
      case "open":
        return this.open(message.uri, message.line);
      case "pick":
        this.choice = { ...this.choice, [message.key]: message.value };
        return this.refresh();
      case "reveal":
        this.revealed = message.value && (await mayReveal());
        return this.refresh();
      case "copy":
        return copyPrompt(this.server, this.target());
      case "compare":
        return compare({ server: this.server, texts: this.texts, saved: this.saved, place: this.target() });
      case "openText":
        await vscode.commands.executeCommand("agentMemory.openPromptText");
        return;
      case "difference":
        return this.showDifference();
      case "restart":
        return this.server.restart();
    }
  }

  /** Only files the prompt itself names are opened, whatever the page asks for. */
  private async open(uri: string, line: number): Promise<void> {
    const named = [...(this.prompt?.segments ?? []), ...(this.prompt?.sources ?? []), ...(this.prompt?.problems ?? [])];
    if (!named.some((item) => item.uri === uri)) {
      return;
    }
    const at = new vscode.Position(Math.max(0, line), 0);
    const column = this.panel.viewColumn === vscode.ViewColumn.One ? vscode.ViewColumn.Two : vscode.ViewColumn.One;
    await vscode.window.showTextDocument(vscode.Uri.parse(uri), {
      selection: new vscode.Range(at, at),
      viewColumn: column,
    });
  }

  private async showDifference(): Promise<void> {
    const { before, latest } = this.saved;
    if (before && latest) {
      await compareTexts(this.texts, before, latest);
    }
  }

  private fail(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.server.log.error(`preview: ${message}`);
    this.post({ type: "failure", message });
  }

  private post(message: ToPage): void {
    void this.panel.webview.postMessage(message);
  }
}

/** Whose prompt it is: another one has another history. */
function whose({ root, runtime, agent }: Sources): string {
  return JSON.stringify([root, runtime, agent]);
}
