/** The prompt preview: one panel beside the editor that follows files, settings and the server. */
import * as os from "node:os";
import * as vscode from "vscode";
import { reasonOf } from "../failures";
import { Later } from "../later";
import type { Changed, Place, PromptParams } from "../protocol";
import type { LanguageServer } from "../server/server";
import { compare, compareTexts } from "./compare";
import { copyPrompt } from "./copy";
import type { Shown } from "./feed";
import { PromptFeed } from "./feed";
import { findingsOf } from "./findings";
import type { FromPage } from "./messages";
import { previewModel } from "./model";
import { PageView } from "./pageView";
import { shortener } from "./paths";
import { mayReveal } from "./reveal";
import { SavedStates, whose } from "./saved";
import type { PromptTexts } from "./texts";
import { isUri } from "../uris";

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
  private readonly page: PageView;
  private readonly feed: PromptFeed;
  private readonly saved: SavedStates;
  private choice: { runtime: string; agent: string } = { runtime: "auto", agent: "auto" };
  private revealed = false;
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
  /** Something changed while nobody could see it; what was told of it. */
  private behind = false;
  private missed: Changed | undefined;
  prompt: Shown | undefined;

  constructor(
    context: vscode.ExtensionContext,
    private readonly server: LanguageServer,
    private readonly panel: vscode.WebviewPanel,
    private readonly texts: PromptTexts,
    private place: { uri?: string },
  ) {
    this.feed = new PromptFeed(server);
    void this.refresh(); // while the page is made
    this.page = new PageView(context.extensionUri, panel, (message) => {
      void this.receive(message).catch((error: unknown) => {
        this.fail(error);
      });
    });
    this.saved = new SavedStates(server, () => this.target(), () => (this.revealed ? undefined : this.prompt));
    this.listeners = [
      this.saved,
      this.saved.onDidChange((notice) => {
        this.page.post({ type: "stale", notice });
      }),
      server.onDidChange((change) => {
        this.follow(change);
      }),
      server.onDidChangeState((state) => {
        this.page.post({ type: "server", state });
        if (state === "running") {
          void this.refresh();
        }
      }),
      this.renderLater,
      this.refreshLater,
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && this.names(document.uri)) {
          this.refreshLater.ask();
        }
      }),
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        if (uris.some((uri) => this.names(uri))) {
          this.renderLater.ask();
        }
      }),
      panel.onDidChangeViewState(() => {
        if (panel.visible) {
          this.catchUp();
        } else {
          this.page.end();
          this.mask();
        }
      }),
    ];
  }

  dispose(): void {
    this.listeners.forEach((item) => void item.dispose());
    this.panel.dispose();
  }

  reveal(place: { uri?: string }): void {
    if (place.uri !== this.place.uri) {
      this.cover();
    }
    this.place = place;
    this.behind = true;
    this.panel.reveal(undefined, true);
    this.catchUp();
  }

  /** Show in the page why a line is part of the prompt, by default the one that is chosen there. */
  explain(at: LineContext | undefined): void {
    this.page.post({ type: "why", at: at && { segment: at.segment, line: at.line } });
  }

  /** Open the file a line comes from, by default that of the line that is chosen in the page. */
  async goToSource(at: LineContext | undefined): Promise<void> {
    const piece = at && this.prompt?.segments[at.segment];
    if (!at) {
      this.page.post({ type: "go" });
    } else if (piece?.uri) {
      await this.open(piece.uri, (piece.startLine ?? 0) + at.line);
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

  /**
   * Ask anew. Called while an answer is awaited, it asks once more after it; while nobody sees
   * the answer, once somebody does.
   */
  async refresh(): Promise<void> {
    if (this.asking) {
      this.askAgain = true;
      return;
    }
    this.behind = !this.panel.visible && !this.texts.isOpen(CURRENT);
    if (this.behind) {
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

  private catchUp(): void {
    if (this.behind) {
      void this.refresh();
    }
    if (this.missed) {
      this.saved.note(this.missed);
      this.missed = undefined;
    }
  }

  /** The server tells of a change; what is shown may have it already. */
  private follow(change: Changed): void {
    if (change.hash !== this.prompt?.hash || change.state !== this.prompt.state) {
      void this.refresh();
    }
    if (this.panel.visible) {
      this.saved.note(change);
    } else {
      this.missed = change;
    }
  }

  /** Whether the prompt is made of the file. */
  private names(uri: vscode.Uri): boolean {
    return this.prompt?.sources.some((source) => isUri(source.uri, uri)) ?? false;
  }

  private async ask(): Promise<void> {
    const question = this.question();
    const isCurrent = () => JSON.stringify(question) === JSON.stringify(this.question());
    try {
      const prompt = await this.feed.ask(question);
      if (prompt && isCurrent()) {
        this.take(prompt);
      }
    } catch (error) {
      if (isCurrent()) {
        this.fail(error);
      }
    }
  }

  /** What is hidden is masked again. */
  private mask(): void {
    if (this.cover()) {
      void this.refresh();
    }
  }

  /** Forget what was revealed, and that it may be; whether something was. */
  private cover(): boolean {
    const was = this.revealed;
    if (was) {
      this.revealed = false;
      this.prompt = undefined;
    }
    return was;
  }

  private question(): PromptParams {
    return { ...this.target(), ...(this.revealed ? { reveal: true } : {}) };
  }

  private take(prompt: Shown): void {
    if (this.prompt && whose(this.prompt) !== whose(prompt)) {
      this.saved.clear(); // what was before is no earlier state of another prompt
    }
    this.prompt = prompt;
    if (!this.revealed) {
      this.texts.put(CURRENT, prompt.text);
    }
    this.render();
    void this.saved.start();
  }

  private render(): void {
    const { prompt } = this;
    if (!prompt || !this.panel.visible) {
      return;
    }
    const folders = vscode.workspace.workspaceFolders?.map((item) => item.uri.fsPath) ?? [];
    const model = previewModel(prompt, {
      locale: vscode.env.language,
      shorten: shortener(folders, os.homedir()),
      findings: findingsOf,
    });
    const { runtimes, agents } = prompt;
    this.page.show(model, { pickers: { runtimes, agents, ...this.choice }, revealed: this.revealed });
  }

  private async receive(message: FromPage): Promise<void> {
    switch (message.type) {
      case "ready":
        if (!this.page.begin()) {
          this.render();
        }
        this.page.post({ type: "server", state: this.server.state });
        this.page.post({ type: "stale", notice: this.saved.notice });
        return this.prompt || this.asking ? undefined : this.refresh();
      case "open":
        return this.open(message.uri, message.line);
      case "pick":
        this.cover(); // the user agreed to see another prompt
        this.choice = { ...this.choice, [message.key]: message.value };
        return this.refresh();
      case "reveal":
        this.revealed = message.value && (await mayReveal()) && this.panel.visible;
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
    const message = reasonOf(error);
    this.server.log.error(`preview: ${message}`);
    this.page.post({ type: "failure", message });
  }
}
