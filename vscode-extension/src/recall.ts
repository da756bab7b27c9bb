/** Searching learned memory as one types. */
import * as vscode from "vscode";
import { t } from "./l10n";
import { currentPlace } from "./place";
import type { Entry } from "./protocol";
import { recallRequest } from "./protocol";
import type { LanguageServer } from "./server/server";
import { scopeName } from "./views/sourceItems";

/** How long to wait for the next letter, in milliseconds. */
const PAUSE_MS = 120;

interface Found extends vscode.QuickPickItem {
  uri: string;
}

/** Let the user search; the chosen entry is opened. */
export function searchMemory(server: LanguageServer): void {
  const pick = vscode.window.createQuickPick<Found>();
  pick.title = t("Search Learned Memory");
  pick.placeholder = t("Words to search for; empty shows the newest");
  pick.matchOnDescription = true;
  const search = new Search(server, pick);
  let timer: NodeJS.Timeout | undefined;
  const listeners = [
    pick.onDidChangeValue(() => {
      clearTimeout(timer);
      timer = setTimeout(() => void search.run(), PAUSE_MS);
    }),
    pick.onDidAccept(() => {
      const [entry] = pick.selectedItems;
      pick.hide();
      if (entry) {
        void vscode.window.showTextDocument(vscode.Uri.parse(entry.uri));
      }
    }),
    pick.onDidHide(() => {
      clearTimeout(timer);
      listeners.forEach((item) => void item.dispose());
      pick.dispose();
    }),
  ];
  pick.show();
  void search.run();
}

class Search {
  private turn = 0;

  constructor(
    private readonly server: LanguageServer,
    private readonly pick: vscode.QuickPick<Found>,
  ) {}

  /** Answers that come after a later question are left out. */
  async run(): Promise<void> {
    const turn = ++this.turn;
    this.pick.busy = true;
    try {
      const params = { ...currentPlace(), query: this.pick.value, limit: 30 };
      const found = await this.server.request(recallRequest, params);
      if (turn === this.turn) {
        this.pick.items = (found?.entries ?? []).map(itemOf);
      }
    } catch (error) {
      this.server.log.warn(`search: ${String(error)}`);
      if (turn === this.turn) {
        this.pick.items = [];
      }
    } finally {
      if (turn === this.turn) {
        this.pick.busy = false;
      }
    }
  }
}

function itemOf(entry: Entry): Found {
  const [first] = entry.body.trim().split("\n");
  return {
    label: entry.summary,
    description: [scopeName(entry.scope), entry.kind, ...entry.tags].join(" · "),
    ...(first ? { detail: first } : {}),
    uri: entry.uri,
    alwaysShow: true, // the server has ranked them; the editor's own filter would hide some
  };
}
