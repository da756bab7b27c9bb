/** The prompt preview: one panel beside the editor that follows files, settings and the server. */
import * as os from "node:os";
import * as vscode from "vscode";
import { Debouncer } from "../debouncer";
import { errorMessage } from "../errors";
import type { ChangeEvent, RequestContext } from "../protocol";
import { isSameUri } from "../sameUri";
import type { LanguageServer } from "../server/server";
import { findingsOf } from "./findings";
import type { ShownPrompt } from "./incrementalPrompt";
import { previewModel } from "./model";
import { PageActions } from "./pageActions";
import { shortener } from "./paths";
import type { PromptDocuments } from "./promptDocuments";
import { PromptRefresher } from "./promptRefresher";
import { PromptSelection } from "./promptSelection";
import { promptKey, SavedPrompts } from "./savedPrompts";
import { WebviewPage } from "./webviewPage";

/** The name of the text document with the shown prompt. */
export const CURRENT = "prompt";

/** The line of the page on which a context menu was opened; both numbers start at 0. */
export interface LineContext {
  segment: number;
  line: number;
}

/** One panel, from opening to closing. */
export class PreviewPanel implements vscode.Disposable {
  private readonly disposables: { dispose(): unknown }[];
  private readonly page: WebviewPage;
  private readonly refresher: PromptRefresher;
  private readonly saved: SavedPrompts;
  private readonly actions: PageActions;
  private readonly selection: PromptSelection;
  /** Findings arrive file by file; the page is rendered once for all of them. */
  private readonly renderDebouncer = new Debouncer(() => {
    this.render();
  }, 60);
  /** Latest change notification received while hidden. */
  private pendingChange: ChangeEvent | undefined;
  prompt: ShownPrompt | undefined;

  constructor(
    context: vscode.ExtensionContext,
    private readonly server: LanguageServer,
    private readonly panel: vscode.WebviewPanel,
    private readonly documents: PromptDocuments,
    place: { uri?: string },
  ) {
    this.selection = new PromptSelection(place);
    this.refresher = new PromptRefresher(server, {
      params: () => this.selection.params,
      isShown: () => panel.visible || documents.isOpen(CURRENT),
      onPrompt: (prompt) => {
        this.onPrompt(prompt);
      },
      onError: (error) => {
        this.fail(error);
      },
    });
    void this.refresher.refresh(); // while the page loads
    this.page = new WebviewPage(context.extensionUri, panel, (message) => {
      void this.actions.handle(message).catch((error: unknown) => {
        this.fail(error);
      });
    });
    this.saved = new SavedPrompts(server, () => this.context, () => (this.selection.revealed ? undefined : this.prompt));
    this.actions = new PageActions(server, this, documents, this.saved);
    this.disposables = [this.saved, this.renderDebouncer, this.refresher, ...this.listen()];
  }

  dispose(): void {
    this.disposables.forEach((item) => void item.dispose());
    this.panel.dispose();
  }

  get viewColumn(): vscode.ViewColumn | undefined {
    return this.panel.viewColumn;
  }

  /** Bring the panel to the front with the prompt for `place`. */
  reveal(place: { uri?: string }): void {
    if (place.uri !== this.selection.place.uri) {
      this.mask();
    }
    this.selection.place = place;
    this.refresher.invalidate();
    this.panel.reveal(undefined, true);
    this.catchUp();
  }

  /** Explain in the page why a line is part of the prompt; by default the line selected there. */
  explain(at: LineContext | undefined): void {
    this.page.post({ type: "explain", at: at && { segment: at.segment, line: at.line } });
  }

  /** Open the source of a line; by default of the line selected in the page. */
  async goToSource(at: LineContext | undefined): Promise<void> {
    const segment = at && this.prompt?.segments[at.segment];
    if (!at) {
      this.page.post({ type: "goToSource" });
    } else if (segment?.uri) {
      await this.actions.open(segment.uri, (segment.startLine ?? 0) + at.line);
    }
  }

  /** The project, runtime and agent of the shown prompt. */
  get context(): RequestContext {
    return this.selection.context;
  }

  onReady(): void {
    if (!this.page.onReady()) {
      this.render();
    }
    this.page.post({ type: "server", state: this.server.state });
    this.page.post({ type: "stale", notice: this.saved.notice });
    if (!this.prompt && !this.refresher.requesting) {
      void this.refresher.refresh();
    }
  }

  pick(key: "runtime" | "agent", value: string): void {
    this.mask(); // the user confirmed the secrets of another prompt
    this.selection.choice = { ...this.selection.choice, [key]: value };
    void this.refresher.refresh();
  }

  setRevealed(value: boolean): void {
    this.selection.revealed = value && this.panel.visible;
    void this.refresher.refresh();
  }

  private listen(): vscode.Disposable[] {
    return [
      this.saved.onDidChange((notice) => {
        this.page.post({ type: "stale", notice });
      }),
      this.server.onDidChange((change) => {
        this.onServerChange(change);
      }),
      this.server.onDidChangeState((state) => {
        this.page.post({ type: "server", state });
        if (state === "running") {
          void this.refresher.refresh();
        }
      }),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && this.isSource(document.uri)) {
          this.refresher.schedule();
        }
      }),
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        if (uris.some((uri) => this.isSource(uri))) {
          this.renderDebouncer.schedule();
        }
      }),
      this.panel.onDidChangeViewState(() => {
        this.onVisibility(this.panel.visible);
      }),
    ];
  }

  private onVisibility(visible: boolean): void {
    if (visible) {
      this.catchUp();
      return;
    }
    this.page.onHidden();
    if (this.mask()) {
      void this.refresher.refresh();
    }
  }

  private catchUp(): void {
    this.refresher.catchUp();
    if (this.pendingChange) {
      this.saved.onServerChange(this.pendingChange);
      this.pendingChange = undefined;
    }
  }

  /** Refresh unless the shown prompt already includes the change. */
  private onServerChange(change: ChangeEvent): void {
    if (change.hash !== this.prompt?.hash || change.state !== this.prompt.state) {
      void this.refresher.refresh();
    }
    if (this.panel.visible) {
      this.saved.onServerChange(change);
    } else {
      this.pendingChange = change;
    }
  }

  /** Whether the file is a source of the shown prompt. */
  private isSource(uri: vscode.Uri): boolean {
    return this.prompt?.sources.some((source) => isSameUri(source.uri, uri)) ?? false;
  }

  /** Mask secrets again; returns whether they were revealed. */
  private mask(): boolean {
    const { revealed } = this.selection;
    if (revealed) {
      this.selection.revealed = false;
      this.prompt = undefined;
    }
    return revealed;
  }

  private onPrompt(prompt: ShownPrompt): void {
    if (this.prompt && promptKey(this.prompt) !== promptKey(prompt)) {
      this.saved.clear(); // its snapshots belong to another prompt
    }
    this.prompt = prompt;
    if (!this.selection.revealed) {
      this.documents.put(CURRENT, prompt.text);
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
    const { choice, revealed } = this.selection;
    const { runtimes, agents } = prompt;
    this.page.show(model, { pickers: { runtimes, agents, ...choice }, revealed });
  }

  private fail(error: unknown): void {
    const message = errorMessage(error);
    this.server.log.error(`preview: ${message}`);
    this.page.post({ type: "failure", message });
  }
}
