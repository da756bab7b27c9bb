/** The Sources view: every file the runtime reads or could read, in load order, for each folder. */
import * as os from "node:os";
import * as vscode from "vscode";
import { Debouncer } from "../debouncer";
import { errorMessage } from "../errors";
import { t } from "../l10n";
import { createMemory } from "../openMemory";
import { shortener } from "../preview/paths";
import { onDidChangeProject } from "../requestContext";
import type { LanguageServer } from "../server/server";
import { showErrorBadge } from "./errorBadge";
import { HiddenSources } from "./hiddenSources";
import { moveSource } from "./moveSource";
import type { SourceItem } from "./sourceItems";
import { sourceGroups } from "./sourceItems";
import type { Project } from "./sourcesCache";
import { SourcesCache } from "./sourcesCache";
import { fileItem, folderItem, groupItem } from "./treeItems";
import type { FolderNode, Node } from "./updateRows";
import { updateRows } from "./updateRows";

/** The server reads a changed file later than the editor reports it (milliseconds). */
const CHANGED_FILE_MS = 1_000;

export class SourcesView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<Node[] | undefined>();
  private readonly view: vscode.TreeView<Node>;
  private readonly disposables: { dispose(): unknown }[];
  private readonly hidden: HiddenSources;
  private readonly updateDebouncer = new Debouncer(() => {
    void this.update();
  }, 100);
  /** The nodes last passed to the editor. */
  private nodes: Node[] = [];
  /** The nodes last announced or passed to the editor, as JSON. */
  private shown = "";
  /** The number of updates so far: an update that a later one has overtaken is dropped. */
  private updates = 0;
  /** The number of requests of the editor for the nodes so far. */
  private requests = 0;
  /** Whether the editor waits for the nodes. A refresh meanwhile can make it lose rows. */
  private isRequested = false;
  /** Whether an update waits for the editor to have the nodes. */
  private isUpdatePending = false;
  /** The next nodes: while the editor waits for them, every row is unknown, also that of an open menu. */
  private prepared: Node[] | undefined;
  private readonly cache: SourcesCache;
  readonly onDidChangeTreeData = this.changes.event;

  constructor(
    context: vscode.ExtensionContext,
    private readonly server: LanguageServer,
  ) {
    this.hidden = new HiddenSources(context.workspaceState);
    this.cache = new SourcesCache(server);
    this.view = vscode.window.createTreeView("agentMemory.sources", { treeDataProvider: this });
    this.updateHiddenContext();
    const refresh = () => {
      this.refresh();
    };
    this.disposables = [
      this.view,
      showErrorBadge(this.view),
      this.updateDebouncer,
      server.onDidChange((change) => {
        if (this.cache.invalidate(change)) {
          this.updateDebouncer.schedule();
        }
      }),
      server.onDidChangeState(refresh),
      onDidChangeProject(refresh),
      vscode.workspace.onDidChangeWorkspaceFolders(refresh),
      ...watchFiles(refresh),
      // Findings change the descriptions, but not the list of files.
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        if (this.cache.isAffected(uris)) {
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
    this.cache.clear();
    this.updateDebouncer.schedule();
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (!node) {
      return this.requestedRoots();
    }
    if ("groups" in node) {
      return node.groups;
    }
    return "items" in node ? node.items : [];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    if ("groups" in node) {
      return folderItem(node);
    }
    return "items" in node ? groupItem(node) : fileItem(node);
  }

  /** Ask, then create the missing file. */
  async create(args: readonly unknown[]): Promise<void> {
    const node = this.selected(args);
    if (node.kind !== "missing") {
      throw new Error(t("{0} already exists.", node.label));
    }
    if (await createMemory(vscode.Uri.parse(node.source.uri), node.source.path)) {
      this.refresh();
    }
  }

  async move(args: readonly unknown[]): Promise<void> {
    await moveSource(this.selected(args));
  }

  async hide(args: readonly unknown[]): Promise<void> {
    await this.hidden.add(this.selected(args).source.uri);
    this.updateHiddenContext();
    this.refresh();
  }

  async showHidden(): Promise<void> {
    await this.hidden.clear();
    this.updateHiddenContext();
    this.refresh();
  }

  /** Answer a request of the editor, which drops the answer to a request that it has repeated. */
  private async requestedRoots(): Promise<Node[]> {
    const request = (this.requests += 1);
    this.isRequested = true;
    const roots = this.prepared ?? (await this.roots());
    if (request === this.requests) {
      this.isRequested = false;
      this.prepared = undefined;
      this.nodes = roots;
      this.shown = JSON.stringify(roots);
      if (this.isUpdatePending) {
        this.updateDebouncer.schedule();
      }
    }
    return roots;
  }

  /** Update the tree if its contents changed: a row that is replaced cannot be clicked. */
  private async update(): Promise<void> {
    const isShown = this.requests > 0 && (this.view.visible || this.shown !== "");
    if (!isShown || this.deferUpdate()) {
      return;
    }
    const update = (this.updates += 1);
    const roots = this.view.visible ? await this.roots() : undefined;
    const json = roots ? JSON.stringify(roots) : "";
    if (update === this.updates && json !== this.shown && !this.deferUpdate()) {
      const changed = roots && !this.prepared ? updateRows(this.nodes, roots) : undefined;
      this.prepared = changed ? undefined : roots;
      this.shown = json;
      this.changes.fire(changed);
    }
  }

  /** Whether to update later because the editor waits for the nodes. */
  private deferUpdate(): boolean {
    this.isUpdatePending = this.isRequested;
    return this.isRequested;
  }

  /** One node per workspace folder; the groups themselves in a window with one folder. */
  private async roots(): Promise<Node[]> {
    const projects = (await this.projects()).map((project) => this.folderNode(project));
    const isSingle = projects.length === 1 && projects[0]?.id === "";
    this.view.description = isSingle ? (projects[0]?.description ?? "") : "";
    const hasMemory = projects.some(({ groups }) => groups.some((group) => group.id !== "missing"));
    void vscode.commands.executeCommand("setContext", "agentMemory.hasMemory", hasMemory);
    if (!hasMemory) {
      return []; // the welcome view offers to create the first file
    }
    return isSingle ? projects.flatMap(({ groups }) => groups) : projects;
  }

  private folderNode({ folder, known }: Project): FolderNode {
    const prefix = folder ? `${folder.uri.toString()}/` : "";
    const folders = folder ? [folder] : (vscode.workspace.workspaceFolders ?? []);
    const groups = sourceGroups(known, {
      prefix,
      locale: vscode.env.language,
      shorten: shortener(folders.map(({ uri }) => uri.fsPath), os.homedir()),
      problems: problemsOf,
      isHidden: (uri) => this.hidden.has(uri),
    });
    return { id: prefix, label: folder?.name ?? "", description: `${known.title} · ${known.agent}`, groups };
  }

  /**
   * The row of a menu; without arguments, as from a keyboard shortcut, the selected row. The editor
   * passes undefined for a row that was replaced while its menu was open.
   */
  selected(args: readonly unknown[]): SourceItem {
    const node = args.length > 0 ? args[0] : this.view.selection[0];
    if (typeof node !== "object" || node === null || !("source" in node)) {
      throw new Error(args.length > 0 ? t("The view has changed. Try again.") : t("Select a file in the Sources view first."));
    }
    return node as SourceItem;
  }

  /** The file of a row, as `selected`. */
  uri(args: readonly unknown[]): vscode.Uri {
    return vscode.Uri.parse(this.selected(args).source.uri);
  }

  /** Publish for `when` clauses whether any file is hidden. */
  private updateHiddenContext(): void {
    void vscode.commands.executeCommand("setContext", "agentMemory.hasHidden", this.hidden.any);
  }

  private async projects(): Promise<Project[]> {
    try {
      const found = (await this.server.ensure(false)) ? await this.cache.projects() : [];
      this.showMessage("");
      return found;
    } catch (error) {
      this.server.log.error(`sources: ${errorMessage(error)}`);
      this.showMessage(t("Cannot show sources: {0}", errorMessage(error)));
      return [];
    }
  }

  /** Show a message above the rows. The editor delays a refresh that follows a message. */
  private showMessage(text: string): void {
    if ((this.view.message ?? "") !== text) {
      this.view.message = text;
    }
  }
}

/**
 * Call `refresh` on changes of Markdown files: the server reports those that the current runtime
 * reads, and of the current project only.
 */
function watchFiles(refresh: () => void): { dispose(): unknown }[] {
  const watcher = vscode.workspace.createFileSystemWatcher("**/*.md");
  const debouncer = new Debouncer(refresh, CHANGED_FILE_MS);
  const listener = () => {
    debouncer.schedule();
  };
  return [watcher, debouncer, watcher.onDidCreate(listener), watcher.onDidChange(listener), watcher.onDidDelete(listener)];
}

function problemsOf(uri: string): number {
  return vscode.languages
    .getDiagnostics(vscode.Uri.parse(uri))
    .filter((item) => item.source === "agent-memory").length;
}
