/** The view "Sources": every file the runtime reads or could read, in load order. */
import * as os from "node:os";
import * as vscode from "vscode";
import { reasonOf } from "../failures";
import { t } from "../l10n";
import { Later } from "../later";
import { createMemory } from "../openMemory";
import { currentPlace, onDidChangeProject } from "../place";
import { shortener } from "../preview/paths";
import { isUri } from "../uris";
import type { Sources } from "../protocol";
import { sourcesRequest } from "../protocol";
import type { LanguageServer } from "../server/server";
import { Ignored } from "./ignored";
import type { SourceGroup, SourceItem } from "./sourceItems";
import { sourceGroups } from "./sourceItems";

type Node = SourceGroup | SourceItem;

export class SourcesView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<void>();
  private readonly view: vscode.TreeView<Node>;
  private readonly listeners: { dispose(): unknown }[];
  private readonly ignored: Ignored;
  private readonly drawLater = new Later(() => {
    void this.draw();
  }, 100);
  /** What the editor was last given. */
  private shown = "";
  private known: Sources | undefined;
  readonly onDidChangeTreeData = this.changes.event;

  constructor(
    context: vscode.ExtensionContext,
    private readonly server: LanguageServer,
  ) {
    this.ignored = new Ignored(context.workspaceState);
    this.view = vscode.window.createTreeView("agentMemory.sources", { treeDataProvider: this });
    this.tellIgnored();
    const refresh = () => {
      this.refresh();
    };
    this.listeners = [
      this.view,
      this.drawLater,
      server.onDidChange(({ state }) => {
        if (state !== this.known?.state) {
          refresh();
        }
      }),
      server.onDidChangeState(refresh),
      onDidChangeProject(refresh),
      // Findings change what is said of a file and not which files there are.
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        if (this.known?.sources.some((source) => uris.some((uri) => isUri(source.uri, uri)))) {
          this.drawLater.ask();
        }
      }),
    ];
  }

  dispose(): void {
    this.listeners.forEach((item) => void item.dispose());
    this.changes.dispose();
  }

  /** Ask the server anew, once for all changes of a moment. */
  refresh(): void {
    this.known = undefined;
    this.drawLater.ask();
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node) {
      return "items" in node ? node.items : [];
    }
    const groups = await this.look();
    this.shown = JSON.stringify(groups);
    return groups;
  }

  /** Have it drawn anew where there is something else to see: a row that is replaced cannot be clicked. */
  private async draw(): Promise<void> {
    if (!this.view.visible || JSON.stringify(await this.look()) !== this.shown) {
      this.changes.fire();
    }
  }

  /** What is to be seen now. */
  private async look(): Promise<SourceGroup[]> {
    const known = this.known ?? (await this.ask());
    if (!known) {
      return [];
    }
    this.known = known;
    const description = `${known.runtime} · ${known.agent}`;
    if (this.view.description !== description) {
      this.view.description = description;
    }
    const groups = sourceGroups(known, {
      locale: vscode.env.language,
      shorten: shortener(folders(), os.homedir()),
      problems: problemsOf,
      ignored: (uri) => this.ignored.has(uri),
    });
    const hasMemory = groups.some((group) => group.id !== "missing");
    await vscode.commands.executeCommand("setContext", "agentMemory.hasMemory", hasMemory);
    return hasMemory ? groups : []; // the welcome view offers to make the first file
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return "items" in node ? groupItem(node) : fileItem(node);
  }

  /** Ask, and make the missing file. */
  async create(row: SourceItem | undefined): Promise<void> {
    const node = this.chosen(row);
    if (node.kind !== "missing") {
      throw new Error(t("{0} is there already.", node.label));
    }
    if (await createMemory(vscode.Uri.parse(node.source.uri), node.source.path)) {
      this.refresh();
    }
  }

  /** Move a file that is not read to where it would be read; links and history stay the editor's job. */
  async move(row: SourceItem | undefined): Promise<void> {
    const { source, moveTo } = this.chosen(row);
    if (!moveTo) {
      throw new Error(t("There is no free place that the runtime reads; move its lines by hand."));
    }
    const move = t("Move");
    const choice = await vscode.window.showInformationMessage(
      t("Move the file to where the runtime reads it?"),
      { modal: true, detail: `${source.path}\n→ ${moveTo.path}` },
      move,
    );
    if (choice === move) {
      const edit = new vscode.WorkspaceEdit();
      edit.renameFile(vscode.Uri.parse(source.uri), vscode.Uri.parse(moveTo.uri), {
        overwrite: false,
      });
      if (!(await vscode.workspace.applyEdit(edit))) {
        throw new Error(t("{0} could not be moved.", source.path));
      }
    }
  }

  async ignore(row: SourceItem | undefined): Promise<void> {
    await this.ignored.add(this.chosen(row).source.uri);
    this.tellIgnored();
    this.refresh();
  }

  async showIgnored(): Promise<void> {
    await this.ignored.clear();
    this.tellIgnored();
    this.refresh();
  }

  /** The row a menu was opened on; for keys, the one that is selected. */
  private chosen(row: SourceItem | undefined): SourceItem {
    const node = row ?? this.view.selection[0];
    if (!node || "items" in node) {
      throw new Error(t("Choose a file in the view Sources first."));
    }
    return node;
  }

  /** Let `when` clauses know whether there is something to bring back. */
  private tellIgnored(): void {
    void vscode.commands.executeCommand("setContext", "agentMemory.hasIgnored", this.ignored.any);
  }

  private async ask(): Promise<Sources | undefined> {
    const client = await this.server.ensure(false);
    try {
      const known = client && (await this.server.request(sourcesRequest, currentPlace()));
      this.view.message = "";
      return known;
    } catch (error) {
      this.server.log.error(`sources: ${reasonOf(error)}`);
      this.view.message = t("The sources cannot be shown: {0}", reasonOf(error));
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

function groupItem(group: SourceGroup): vscode.TreeItem {
  const open = group.id === "loaded" || group.id === "unread";
  const item = new vscode.TreeItem(
    group.label,
    open ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed,
  );
  item.id = group.id;
  item.description = String(group.items.length);
  item.contextValue = `group.${group.id}`;
  return item;
}

function fileItem(node: SourceItem): vscode.TreeItem {
  const uri = vscode.Uri.parse(node.source.uri);
  const item = new vscode.TreeItem(node.label);
  // The same file keeps its place in the editor's books when the view is drawn anew.
  item.id = node.id;
  item.description = node.description;
  item.tooltip = node.tooltip;
  item.iconPath = new vscode.ThemeIcon(node.icon);
  item.contextValue = `source.${node.kind}${node.moveTo ? ".movable" : ""}`;
  item.accessibilityInformation = { label: `${node.label}, ${node.description}` };
  if (node.kind !== "missing") {
    item.command = { command: "vscode.open", title: t("Open"), arguments: [uri] };
  } else if (vscode.workspace.isTrusted) {
    item.command = { command: "agentMemory.createSource", title: t("Create File"), arguments: [node] };
  }
  return item;
}
