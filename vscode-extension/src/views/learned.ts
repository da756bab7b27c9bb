/** The Learned view: the entries saved by agents, newest first; filtered, or those in the trash. */
import * as vscode from "vscode";
import { SECTION } from "../configuration";
import { Debouncer } from "../debouncer";
import { errorMessage } from "../errors";
import { t } from "../l10n";
import type { Entry, Scope } from "../protocol";
import { entriesRequest, recallRequest } from "../protocol";
import { currentContext, onDidChangeProject } from "../requestContext";
import type { LanguageServer } from "../server/server";
import { forget, promote, restore } from "./learnedActions";
import type { FilterChoice, LearnedFilter } from "./learnedFilter";
import { filterChoices, filterOf, filterText, groupName, isChosen } from "./learnedFilter";
import { entryItem } from "./learnedItem";

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
  private filter: LearnedFilter = {};
  private isTrash = false;
  private shown: Entry[] = [];
  /** The shown rows as JSON; undefined before the first ones. */
  private shownKey: string | undefined;
  /** The next rows: while the editor waits for them, every row is unknown, also that of an open menu. */
  private prepared: Entry[] | undefined;
  private refreshes = 0;
  /** The number of requests of the editor for the rows so far. */
  private requests = 0;
  readonly onDidChangeTreeData = this.changes.event;

  constructor(private readonly server: LanguageServer) {
    const refresh = () => void this.refresh();
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
    if (entry) {
      return [];
    }
    const request = (this.requests += 1);
    const rows = this.prepared ?? (await this.load());
    // The editor drops the answer to a request that it has repeated.
    if (request === this.requests) {
      this.prepared = undefined;
      this.shownKey = this.keyOf(rows);
    }
    return rows;
  }

  /** Show the present entries. Nothing happens if they are shown already: a refresh loses every row. */
  private async refresh(): Promise<void> {
    this.refreshes += 1;
    const refresh = this.refreshes;
    const rows = this.view.visible ? await this.load() : undefined;
    const key = rows && this.keyOf(rows);
    if (refresh === this.refreshes && this.requests > 0 && key !== this.shownKey) {
      this.prepared = rows;
      this.shownKey = key;
      this.changes.fire();
    }
  }

  private keyOf(rows: readonly Entry[]): string {
    return JSON.stringify([rows, this.isTrash]);
  }

  /** Request the rows; sets the description and the message of the view. */
  private async load(): Promise<Entry[]> {
    if (!(await this.server.ensure(false))) {
      return [];
    }
    try {
      const found = await this.entries();
      this.shown = found.slice(0, MAX_ENTRIES);
      this.view.description = this.isTrash ? t("Trash") : filterText(this.filter);
      this.view.message = this.messageFor(found);
      return this.shown;
    } catch (error) {
      this.server.log.error(`learned: ${errorMessage(error)}`);
      this.view.message = t("Cannot show entries: {0}", errorMessage(error));
      return [];
    }
  }

  getTreeItem(entry: Entry): vscode.TreeItem {
    return entryItem(entry, this.isTrash);
  }

  /** Let the user choose which entries to show. */
  async chooseFilter(): Promise<void> {
    const choices = filterChoices(this.shown);
    const rows = choices.flatMap((choice, index): (vscode.QuickPickItem & { choice?: FilterChoice })[] => {
      const isFirst = choices[index - 1]?.group !== choice.group;
      const heading = { label: groupName(choice.group), kind: vscode.QuickPickItemKind.Separator };
      const row = { label: choice.label, picked: isChosen(this.filter, choice), choice };
      return isFirst ? [heading, row] : [row];
    });
    const chosen = await vscode.window.showQuickPick(rows, {
      canPickMany: true,
      title: t("Filter Learned Entries"),
      placeHolder: t("Select what to show; nothing selected shows all."),
    });
    if (chosen) {
      this.show(filterOf(chosen.flatMap(({ choice }) => choice ?? [])), false);
    }
  }

  /** Show the entries that match `filter`, or those in the trash. */
  show(filter: LearnedFilter, isTrash: boolean): void {
    this.filter = filter;
    this.isTrash = isTrash;
    const set = (key: string, value: boolean) =>
      void vscode.commands.executeCommand("setContext", `agentMemory.${key}`, value);
    set("learnedFiltered", filterText(filter) !== "");
    set("learnedTrash", isTrash);
    void this.refresh();
  }

  async promote(args: readonly unknown[], to: Scope): Promise<void> {
    await promote(this.server, this.selected(args), to);
    void this.refresh();
  }

  async forget(args: readonly unknown[]): Promise<void> {
    await forget(this.server, this.selected(args));
    void this.refresh();
  }

  async restore(args: readonly unknown[]): Promise<void> {
    await restore(this.server, this.selected(args));
    void this.refresh();
  }

  /** The entry of a row; without arguments, as from a keyboard shortcut, of the selected row. */
  selected(args: readonly unknown[]): Entry {
    const entry = args.length > 0 ? args[0] : this.view.selection[0];
    if (typeof entry !== "object" || entry === null || !("summary" in entry)) {
      throw new Error(args.length > 0 ? t("The view has changed. Try again.") : t("Select an entry in the Learned view first."));
    }
    return entry as Entry;
  }

  /** The newest entries; the search index answers unless the age matters. */
  private async entries(): Promise<Entry[]> {
    const { filter, isTrash } = this;
    const byAge = filter.older !== undefined || filter.unused !== undefined;
    const found =
      isTrash || byAge
        ? await this.server.request(entriesRequest, { ...currentContext(), ...filter, trash: isTrash })
        : await this.server.request(recallRequest, { ...currentContext(), ...filter, query: "", limit: MAX_ENTRIES });
    return found?.entries ?? [];
  }

  private messageFor(found: readonly Entry[]): string {
    if (found.length === 0 && this.isTrash) {
      return t("The trash is empty.");
    }
    if (found.length === 0 && filterText(this.filter) !== "") {
      return t("No entries match the filter.");
    }
    return found.length > MAX_ENTRIES ? t("The newest {0} of {1} entries.", MAX_ENTRIES, found.length) : "";
  }
}
