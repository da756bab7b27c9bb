/** Searching learned memory as one types. */
import * as vscode from "vscode";
import { reasonOf, tell } from "./failures";
import { t } from "./l10n";
import { currentPlace } from "./place";
import type { Entry } from "./protocol";
import { recallRequest } from "./protocol";
import type { LanguageServer } from "./server/server";
import { scopeName } from "./views/sourceItems";

/** How long to wait for the next letter, in milliseconds. */
const PAUSE_MS = 120;

interface Row extends vscode.QuickPickItem {
  /** What choosing it does; a row that only tells something has none, and the search stays open. */
  choose?: () => Promise<unknown>;
}

/** Let the user search; the chosen entry is opened. */
export function searchMemory(server: LanguageServer): void {
  const pick = vscode.window.createQuickPick<Row>();
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
      const choose = pick.selectedItems[0]?.choose;
      if (choose) {
        pick.hide();
        choose().catch((error: unknown) => {
          tell(server.log, "search", error);
        });
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
    private readonly pick: vscode.QuickPick<Row>,
  ) {}

  /** Answers that come after a later question are left out. */
  async run(): Promise<void> {
    const turn = ++this.turn;
    this.pick.busy = true;
    const rows = await this.rows(this.pick.value);
    if (turn === this.turn) {
      this.pick.items = rows;
      this.pick.busy = false;
    }
  }

  private async rows(query: string): Promise<Row[]> {
    try {
      const found = await this.server.request(recallRequest, { ...currentPlace(), query, limit: 30 });
      if (!found) {
        return [row(t("The server does not run.")), this.restart()];
      }
      return found.entries.length > 0 ? found.entries.map(rowOf) : [nothing(query)];
    } catch (error) {
      this.server.log.error(`search: ${reasonOf(error)}`);
      return [row(t("The search failed"), { detail: reasonOf(error) }), this.logs()];
    }
  }

  private restart(): Row {
    return row(`$(debug-restart) ${t("Restart Server")}`, { choose: () => this.server.restart() });
  }

  private logs(): Row {
    return row(`$(output) ${t("Show Logs")}`, {
      choose: () => {
        this.server.log.show();
        return Promise.resolve();
      },
    });
  }
}

/** The server has ranked the rows, so the editor's own filter shall hide none. */
function row(label: string, more: Partial<Row> = {}): Row {
  return { label, alwaysShow: true, ...more };
}

function nothing(query: string): Row {
  return query.trim() === ""
    ? row(t("Agents have filed no entries here yet"))
    : row(t("No entry fits “{0}”", query.trim()), { detail: t("Fewer or other words may find some.") });
}

function rowOf(entry: Entry): Row {
  const [first] = entry.body.trim().split("\n");
  return row(entry.summary, {
    description: [scopeName(entry.scope), entry.kind, ...entry.tags].join(" · "),
    ...(first ? { detail: first } : {}),
    choose: () => open(entry),
  });
}

async function open({ uri, summary }: Entry): Promise<void> {
  try {
    await vscode.window.showTextDocument(vscode.Uri.parse(uri));
  } catch (error) {
    throw new Error(t("“{0}” could not be opened: {1}", summary, reasonOf(error)), { cause: error });
  }
}
