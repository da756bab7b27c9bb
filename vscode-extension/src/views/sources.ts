/** The Sources view: every file the runtime reads or could read, in load order. */
import * as os from "node:os";
import * as vscode from "vscode";
import { Debouncer } from "../debouncer";
import { errorMessage } from "../errors";
import { t } from "../l10n";
import { createMemory } from "../openMemory";
import { shortener } from "../preview/paths";
import type { Sources } from "../protocol";
import { sourcesRequest } from "../protocol";
import { currentContext, onDidChangeProject } from "../requestContext";
import { isSameUri } from "../sameUri";
import type { LanguageServer } from "../server/server";
import { HiddenSources } from "./hiddenSources";
import { moveSource } from "./moveSource";
import type { SourceGroup, SourceItem } from "./sourceItems";
import { sourceGroups } from "./sourceItems";
import { fileItem, groupItem } from "./treeItems";

type Node = SourceGroup | SourceItem;

export class SourcesView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<void>();
  private readonly view: vscode.TreeView<Node>;
  private readonly disposables: { dispose(): unknown }[];
  private readonly hidden: HiddenSources;
  private readonly updateDebouncer = new Debouncer(() => {
    void this.update();
  }, 100);
  /** The groups last passed to the editor, as JSON. */
  private shown = "";
  /** The server's last answer; undefined after an invalidation. */
  private cached: Sources | undefined;
  readonly onDidChangeTreeData = this.changes.event;

  constructor(
    context: vscode.ExtensionContext,
    private readonly server: LanguageServer,
  ) {
    this.hidden = new HiddenSources(context.workspaceState);
    this.view = vscode.window.createTreeView("agentMemory.sources", { treeDataProvider: this });
    this.updateHiddenContext();
    const refresh = () => {
      this.refresh();
    };
    this.disposables = [
      this.view,
      this.updateDebouncer,
      server.onDidChange(({ state }) => {
        if (state !== this.cached?.state) {
          refresh();
        }
      }),
      server.onDidChangeState(refresh),
      onDidChangeProject(refresh),
      // Findings change the descriptions, but not the list of files.
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        if (this.cached?.sources.some((source) => uris.some((uri) => isSameUri(source.uri, uri)))) {
          this.updateDebouncer.schedule();
        }
      }),
    ];
  }

  dispose(): void {
    this.disposables.forEach((item) => void item.dispose());
    this.changes.dispose();
  }

  /** Invalidate the cached answer and update the view, debounced. */
  refresh(): void {
    this.cached = undefined;
    this.updateDebouncer.schedule();
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node) {
      return "items" in node ? node.items : [];
    }
    const groups = await this.groups();
    this.shown = JSON.stringify(groups);
    return groups;
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return "items" in node ? groupItem(node) : fileItem(node);
  }

  /** Ask, then create the missing file. */
  async create(row: SourceItem | undefined): Promise<void> {
    const node = this.selected(row);
    if (node.kind !== "missing") {
      throw new Error(t("{0} already exists.", node.label));
    }
    if (await createMemory(vscode.Uri.parse(node.source.uri), node.source.path)) {
      this.refresh();
    }
  }

  async move(row: SourceItem | undefined): Promise<void> {
    await moveSource(this.selected(row));
  }

  async hide(row: SourceItem | undefined): Promise<void> {
    await this.hidden.add(this.selected(row).source.uri);
    this.updateHiddenContext();
    this.refresh();
  }

  async showHidden(): Promise<void> {
    await this.hidden.clear();
    this.updateHiddenContext();
    this.refresh();
  }

  /** Update the tree if its contents changed: a row that is replaced cannot be clicked. */
  private async update(): Promise<void> {
    if (!this.view.visible || JSON.stringify(await this.groups()) !== this.shown) {
      this.changes.fire();
    }
  }

  private async groups(): Promise<SourceGroup[]> {
    const known = this.cached ?? (await this.request());
    if (!known) {
      return [];
    }
    this.cached = known;
    const description = `${known.runtime} · ${known.agent}`;
    if (this.view.description !== description) {
      this.view.description = description;
    }
    const groups = sourceGroups(known, {
      locale: vscode.env.language,
      shorten: shortener(folders(), os.homedir()),
      problems: problemsOf,
      isHidden: (uri) => this.hidden.has(uri),
    });
    const hasMemory = groups.some((group) => group.id !== "missing");
    await vscode.commands.executeCommand("setContext", "agentMemory.hasMemory", hasMemory);
    return hasMemory ? groups : []; // the welcome view offers to create the first file
  }

  /** The row of a menu; for a keyboard shortcut, the selected row. */
  private selected(row: SourceItem | undefined): SourceItem {
    const node = row ?? this.view.selection[0];
    if (!node || "items" in node) {
      throw new Error(t("Select a file in the Sources view first."));
    }
    return node;
  }

  /** Publish for `when` clauses whether any file is hidden. */
  private updateHiddenContext(): void {
    void vscode.commands.executeCommand("setContext", "agentMemory.hasHidden", this.hidden.any);
  }

  private async request(): Promise<Sources | undefined> {
    const client = await this.server.ensure(false);
    try {
      const known = client && (await this.server.request(sourcesRequest, currentContext()));
      this.view.message = "";
      return known;
    } catch (error) {
      this.server.log.error(`sources: ${errorMessage(error)}`);
      this.view.message = t("Cannot show sources: {0}", errorMessage(error));
      return undefined;
    }
  }
}

function folders(): string[] {
  return vscode.workspace.workspaceFolders?.map((item) => item.uri.fsPath) ?? [];
}

function problemsOf(uri: string): number {
  return vscode.languages
    .getDiagnostics(vscode.Uri.parse(uri))
    .filter((item) => item.source === "agent-memory").length;
}
