/** Handles the messages of the panel's page: its buttons, pickers and links. */
import * as vscode from "vscode";
import type { RequestContext } from "../protocol";
import type { LanguageServer } from "../server/server";
import { compare, compareTexts } from "./compare";
import { confirmReveal } from "./confirmReveal";
import { copyPrompt } from "./copyPrompt";
import type { ShownPrompt } from "./incrementalPrompt";
import type { FromPage } from "./messages";
import type { PromptDocuments } from "./promptDocuments";
import type { SavedPrompts } from "./savedPrompts";

/** What the actions need from the panel. */
export interface PageActionsPanel {
  readonly prompt: ShownPrompt | undefined;
  readonly viewColumn: vscode.ViewColumn | undefined;
  readonly context: RequestContext;
  onReady(): void;
  pick(key: "runtime" | "agent", value: string): void;
  /** Show secrets unmasked if `value` is true. */
  setRevealed(value: boolean): void;
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
      case "reveal":
        panel.setRevealed(message.value && (await confirmReveal()));
        return;
      case "copy":
        return copyPrompt(server, panel.context);
      case "compare":
        return compare({ server, documents, saved, context: panel.context });
      case "openText":
        await vscode.commands.executeCommand("agentMemory.openPromptText");
        return;
      case "difference":
        return saved.before && saved.latest && compareTexts(documents, saved.before, saved.latest);
      case "restart":
        return server.restart();
    }
  }

  /** Open a file at a line. Files that the prompt does not name are refused. */
  async open(uri: string, line: number): Promise<void> {
    const { segments = [], sources = [], problems = [] } = this.panel.prompt ?? {};
    if (![...segments, ...sources, ...problems].some((item) => item.uri === uri)) {
      return;
    }
    const position = new vscode.Position(Math.max(0, line), 0);
    const { One, Two } = vscode.ViewColumn;
    await vscode.window.showTextDocument(vscode.Uri.parse(uri), {
      selection: new vscode.Range(position, position),
      viewColumn: this.panel.viewColumn === One ? Two : One,
    });
  }
}
