/** The view "Learned": the entries agents filed, newest first. */
import * as vscode from "vscode";
import { SECTION } from "../configuration";
import { reasonOf } from "../failures";
import { t } from "../l10n";
import { Later } from "../later";
import { currentPlace, onDidChangeProject } from "../place";
import type { Entry } from "../protocol";
import { recallRequest } from "../protocol";
import type { LanguageServer } from "../server/server";
import { scopeName } from "./sourceItems";

/** How long the server needs to learn of new settings, in milliseconds. */
const SETTINGS_MS = 300;

/** Entries shown; the search finds the others. */
const MOST = 50;

export class LearnedView implements vscode.TreeDataProvider<Entry>, vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<void>();
  private readonly view: vscode.TreeView<Entry>;
  private readonly listeners: { dispose(): unknown }[];
  /** What the entries that are shown depend on. */
  private basis = "";
  readonly onDidChangeTreeData = this.changes.event;

  constructor(private readonly server: LanguageServer) {
    const refresh = () => {
      this.changes.fire();
    };
    const later = new Later(refresh, SETTINGS_MS);
    this.view = vscode.window.createTreeView("agentMemory.learned", { treeDataProvider: this });
    this.listeners = [
      this.view,
      later,
      this.view.onDidChangeVisibility(refresh),
      onDidChangeProject(refresh),
      // Where the entries stand is a setting, and not each change of it changes the prompt.
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(SECTION)) {
          later.ask();
        }
      }),
      server.onDidChange(({ root, agent, saved, entries }) => {
        const basis = JSON.stringify([root, agent, saved, entries]); // nothing of what is typed
        if (basis !== this.basis) {
          this.basis = basis;
          refresh();
        }
      }),
      server.onDidChangeState(() => {
        this.basis = ""; // another server may have answered before it knew the settings
        refresh();
      }),
    ];
  }

  dispose(): void {
    this.listeners.forEach((item) => void item.dispose());
    this.changes.dispose();
  }

  async getChildren(entry?: Entry): Promise<Entry[]> {
    if (entry || !(await this.server.ensure(false))) {
      return [];
    }
    try {
      const found = await this.server.request(recallRequest, {
        ...currentPlace(),
        query: "",
        limit: MOST,
      });
      this.view.message = "";
      return found?.entries ?? [];
    } catch (error) {
      this.server.log.error(`learned: ${reasonOf(error)}`);
      this.view.message = t("The entries cannot be shown: {0}", reasonOf(error));
      return [];
    }
  }

  getTreeItem(entry: Entry): vscode.TreeItem {
    const item = new vscode.TreeItem(entry.summary);
    item.id = `${entry.scope}/${entry.id}`;
    item.description = [scopeName(entry.scope), entry.kind, ...entry.tags].join(" · ");
    item.tooltip = entry.body;
    item.iconPath = new vscode.ThemeIcon("note");
    item.contextValue = "entry";
    item.command = {
      command: "vscode.open",
      title: t("Open"),
      arguments: [vscode.Uri.parse(entry.uri)],
    };
    return item;
  }
}
