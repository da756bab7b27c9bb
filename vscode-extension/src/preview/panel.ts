/** The prompt preview: one panel beside the editor that follows files, settings and the server. */
import * as vscode from "vscode";
import { Debouncer } from "../debouncer";
import { errorMessage } from "../errors";
import type { ChangeEvent, RequestContext } from "../protocol";
import type { LanguageServer } from "../server/server";
import { EditorSync } from "./editorSync";
import type { ShownPrompt } from "./incrementalPrompt";
import { LineCommands } from "./lineCommands";
import type { PickerKey } from "./messages";
import { PageActions } from "./pageActions";
import type { PromptDocuments } from "./promptDocuments";
import { panelView } from "./panelView";
import { PromptRefresher } from "./promptRefresher";
import type { Place } from "./promptSelection";
import { PromptSelection } from "./promptSelection";
import { promptKey, SavedPrompts } from "./savedPrompts";
import { sourceEvents } from "./sourceEvents";
import { UnreadNotice } from "./unreadNotice";
import { WebviewPage } from "./webviewPage";

/** The name of the text document with the shown prompt. */
export const CURRENT = "prompt";

/** One panel, from opening to closing. */
export class PreviewPanel implements vscode.Disposable {
  private readonly disposables: { dispose(): unknown }[];
  private readonly page: WebviewPage;
  private readonly refresher: PromptRefresher;
  private readonly saved: SavedPrompts;
  readonly actions: PageActions;
  readonly lines: LineCommands;
  private readonly selection: PromptSelection;
  private readonly unread: UnreadNotice;
  private readonly sync = new EditorSync(
    () => this.prompt?.segments.flatMap(({ uri }) => uri ?? []) ?? [],
    (at) => {
      this.page.post({ type: "follow", at });
    },
  );
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
    place: Place,
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
    this.unread = new UnreadNotice(server, (notice) => {
      this.page.whenReady({ type: "notRead", notice });
    });
    this.saved = new SavedPrompts(server, () => this.context, () => (this.selection.revealed ? undefined : this.prompt));
    this.actions = new PageActions(server, this, documents, this.saved);
    this.lines = new LineCommands(this.page, this.actions, () => this.prompt);
    this.disposables = [this.saved, this.sync, this.renderDebouncer, this.refresher, ...this.listen()];
  }

  dispose(): void {
    this.disposables.forEach((item) => void item.dispose());
    this.panel.dispose();
  }

  get viewColumn(): vscode.ViewColumn | undefined {
    return this.panel.viewColumn;
  }

  /** Bring the panel to the front with the prompt for `place`. */
  reveal(place: Place): void {
    if (place.uri !== this.selection.place.uri || place.cwd !== this.selection.place.cwd) {
      this.mask();
    }
    this.selection.place = place;
    this.refresher.invalidate();
    this.panel.reveal(undefined, true);
    this.catchUp();
    this.sync.start();
  }

  showCopied(): void {
    this.page.post({ type: "copied" });
  }

  async followAdvice(): Promise<void> {
    await this.unread.followAdvice((id) => {
      this.pick("runtime", id);
    });
  }

  scrollEditor(uri: string, line: number): void {
    this.sync.scrollTo(uri, line);
  }

  beforeOpen(): void {
    this.sync.pause();
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
    this.unread.show();
    this.sync.start();
    if (!this.prompt && !this.refresher.requesting) {
      void this.refresher.refresh();
    }
  }

  pick(key: PickerKey, value: string): void {
    this.mask(); // the user confirmed the secrets of another prompt
    if (key === "folder") {
      this.selection.place = { uri: value };
    } else {
      this.selection.choice = { ...this.selection.choice, [key]: value };
    }
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
      ...sourceEvents(
        () => this.prompt,
        () => {
          this.refresher.schedule();
        },
        () => {
          this.renderDebouncer.schedule();
        },
      ),
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
    const isFirst = this.prompt === undefined;
    if (this.prompt && promptKey(this.prompt) !== promptKey(prompt)) {
      this.saved.clear(); // its snapshots belong to another prompt
    }
    this.prompt = prompt;
    if (!this.selection.revealed) {
      this.documents.put(CURRENT, prompt.text);
    }
    this.render();
    this.unread.update(this.selection.place.uri, prompt).catch((error: unknown) => {
      this.fail(error);
    });
    if (isFirst) {
      this.sync.start();
    }
    void this.saved.start();
  }

  private render(): void {
    const { prompt } = this;
    if (!prompt || !this.panel.visible) {
      return;
    }
    const { title, model, pickers } = panelView(prompt, this.selection);
    this.panel.title = title;
    this.page.show(model, pickers);
    this.publishSecrets(prompt);
  }

  /** Publish for the title's actions whether secrets are masked or revealed. */
  private publishSecrets({ masked }: ShownPrompt): void {
    const state = this.selection.revealed ? "revealed" : masked ? "masked" : "none";
    void vscode.commands.executeCommand("setContext", "agentMemory.previewSecrets", state);
  }

  private fail(error: unknown): void {
    const message = errorMessage(error);
    this.server.log.error(`preview: ${message}`);
    this.page.post({ type: "failure", message });
  }
}
