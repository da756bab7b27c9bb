/** The Learned view: the entries saved by agents, newest first. */
import * as vscode from "vscode";
import { SECTION } from "../configuration";
import { Debouncer } from "../debouncer";
import { errorMessage } from "../errors";
import { t } from "../l10n";
import { scopeName } from "../preview/names";
import type { Entry } from "../protocol";
import { recallRequest } from "../protocol";
import { currentContext, onDidChangeProject } from "../requestContext";
import type { LanguageServer } from "../server/server";

/** Delay until the server has received new settings, in milliseconds. */
const SETTINGS_DELAY_MS = 300;

/** Entries shown in the view; the search finds the others. */
const MAX_ENTRIES = 50;

export class LearnedView implements vscode.TreeDataProvider<Entry>, vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<void>();
  private readonly view: vscode.TreeView<Entry>;
  private readonly disposables: { dispose(): unknown }[];
  /** What the shown entries depend on, as JSON. */
  private cacheKey = "";
  readonly onDidChangeTreeData = this.changes.event;

  constructor(private readonly server: LanguageServer) {
    const refresh = () => {
      this.changes.fire();
    };
    const debouncer = new Debouncer(refresh, SETTINGS_DELAY_MS);
    this.view = vscode.window.createTreeView("agentMemory.learned", { treeDataProvider: this });
    this.disposables = [
      this.view,
      debouncer,
      this.view.onDidChangeVisibility(refresh),
      onDidChangeProject(refresh),
      // The folder of the entries is a setting; changing it may leave the prompt unchanged.
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(SECTION)) {
          debouncer.schedule();
        }
      }),
      server.onDidChange(({ root, agent, saved, entries }) => {
        const key = JSON.stringify([root, agent, saved, entries]); // unsaved edits do not matter
        if (key !== this.cacheKey) {
          this.cacheKey = key;
          refresh();
        }
      }),
      server.onDidChangeState(() => {
        this.cacheKey = ""; // a previous server may have answered without the settings
        refresh();
      }),
    ];
  }

  dispose(): void {
    this.disposables.forEach((item) => void item.dispose());
    this.changes.dispose();
  }

  async getChildren(entry?: Entry): Promise<Entry[]> {
    if (entry || !(await this.server.ensure(false))) {
      return [];
    }
    try {
      const found = await this.server.request(recallRequest, {
        ...currentContext(),
        query: "",
        limit: MAX_ENTRIES,
      });
      this.view.message = "";
      return found?.entries ?? [];
    } catch (error) {
      this.server.log.error(`learned: ${errorMessage(error)}`);
      this.view.message = t("Cannot show entries: {0}", errorMessage(error));
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
