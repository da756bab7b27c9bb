/** Handles the messages of the panel's page: its buttons, pickers and links. */
import * as vscode from "vscode";
import { openMachineSetting } from "../configuration";
import type { RequestContext } from "../protocol";
import type { LanguageServer } from "../server/server";
import { compare, compareTexts } from "./compare";
import { confirmReveal } from "./confirmReveal";
import { copyPrompt } from "./copyPrompt";
import type { ShownPrompt } from "./incrementalPrompt";
import { exactSetting } from "./exactness";
import type { FromPage, PickerKey } from "./messages";
import type { PromptDocuments } from "./promptDocuments";
import type { SavedPrompts } from "./savedPrompts";
import { verifyPrompt } from "./verify";

/** What the actions need from the panel. */
export interface PageActionsPanel {
  readonly prompt: ShownPrompt | undefined;
  readonly viewColumn: vscode.ViewColumn | undefined;
  readonly context: RequestContext;
  onReady(): void;
  pick(key: PickerKey, value: string): void;
  /** Show secrets unmasked if `value` is true. */
  setRevealed(value: boolean): void;
  /** Let the page say that the clipboard has the copied text. */
  showCopied(): void;
  /** Scroll the editor of a file to `line`. */
  scrollEditor(uri: string, line: number): void;
  /** Do what the notice about the unread file offers. */
  followAdvice(): Promise<void>;
  /** A jump to a file starts: the page must not scroll with the editor. */
  beforeOpen(): void;
}

export class PageActions {
  constructor(
    private readonly server: LanguageServer,
    private readonly panel: PageActionsPanel,
    private readonly documents: PromptDocuments,
    private readonly saved: SavedPrompts,
  ) {}

  async handle(message: FromPage): Promise<void> {
    const { server, panel, documents, saved } = this;
    switch (message.type) {
      case "ready":
        panel.onReady();
        return;
      case "open":
        return this.open(message.uri, message.line);
      case "pick":
        panel.pick(message.key, message.value);
        return;
      case "scrolled":
        panel.scrollEditor(message.uri, message.line);
        return;
      case "copyText":
        await vscode.env.clipboard.writeText(message.text);
        panel.showCopied();
        return;
      case "advice":
        return panel.followAdvice();
      case "makeExact":
        return openMachineSetting(exactSetting(panel.prompt?.runtime ?? ""));
      case "verify":
        return panel.prompt && verifyPrompt(server, documents, panel.prompt, panel.context);
      case "difference":
        return saved.before && saved.latest && compareTexts(documents, saved.before, saved.latest);
      case "restart":
        return server.restart();
    }
  }

  /** Copy the prompt; with secrets only after the user confirms. */
  async copy(): Promise<void> {
    if (await copyPrompt(this.server, this.panel.context)) {
      this.panel.showCopied();
    }
  }

  async compare(): Promise<void> {
    const { server, panel, documents, saved } = this;
    await compare({ server, documents, saved, context: panel.context });
  }

  /** Show secrets after the user confirms, or mask them. */
  async reveal(value: boolean): Promise<void> {
    this.panel.setRevealed(value && (await confirmReveal()));
  }

  /** Open a file at a line. Files that the prompt does not name are refused. */
  async open(uri: string, line: number): Promise<void> {
    const { segments = [], sources = [], problems = [] } = this.panel.prompt ?? {};
    if (![...segments, ...sources, ...problems].some((item) => item.uri === uri)) {
      return;
    }
    this.panel.beforeOpen();
    const position = new vscode.Position(Math.max(0, line), 0);
    const { One, Two } = vscode.ViewColumn;
    await vscode.window.showTextDocument(vscode.Uri.parse(uri), {
      selection: new vscode.Range(position, position),
      viewColumn: this.panel.viewColumn === One ? Two : One,
    });
  }
}
