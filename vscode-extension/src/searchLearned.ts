/** Searches learned memory as the user types. */
import * as vscode from "vscode";
import { Debouncer } from "./debouncer";
import { errorMessage, showError } from "./errors";
import { t } from "./l10n";
import { currentContext } from "./requestContext";
import type { Entry } from "./protocol";
import { recallRequest } from "./protocol";
import type { LanguageServer } from "./server/server";
import { scopeName } from "./preview/names";

/** Debounce time for keystrokes, in milliseconds. */
const DEBOUNCE_MS = 120;

interface Row extends vscode.QuickPickItem {
  /** The action on selection; the search stays open on a row without one. */
  choose?: () => Promise<unknown>;
}

/** Show the search; the selected entry is opened. */
export function searchMemory(server: LanguageServer): void {
  const pick = vscode.window.createQuickPick<Row>();
  pick.title = t("Search Learned Memory");
  pick.placeholder = t("Search terms (leave empty for the newest entries)");
  pick.matchOnDescription = true;
  const search = new Search(server, pick);
  const debouncer = new Debouncer(() => void search.run(), DEBOUNCE_MS);
  const listeners = [
    pick.onDidChangeValue(() => {
      debouncer.schedule();
    }),
    pick.onDidAccept(() => {
      const choose = pick.selectedItems[0]?.choose;
      if (choose) {
        pick.hide();
        choose().catch((error: unknown) => {
          showError(server.log, "search", error);
        });
      }
    }),
    pick.onDidHide(() => {
      debouncer.dispose();
      listeners.forEach((item) => void item.dispose());
      pick.dispose();
    }),
  ];
  pick.show();
  void search.run();
}

class Search {
  private requests = 0;

  constructor(
    private readonly server: LanguageServer,
    private readonly pick: vscode.QuickPick<Row>,
  ) {}

  /** Answers to outdated requests are ignored. */
  async run(): Promise<void> {
    const request = ++this.requests;
    this.pick.busy = true;
    const rows = await this.rows(this.pick.value);
    if (request === this.requests) {
      this.pick.items = rows;
      this.pick.busy = false;
    }
  }

  private async rows(query: string): Promise<Row[]> {
    try {
      const found = await this.server.request(recallRequest, { ...currentContext(), query, limit: 30 });
      if (!found) {
        return [row(t("The server isn't running.")), this.restart()];
      }
      return found.entries.length > 0 ? found.entries.map(rowOf) : [nothing(query)];
    } catch (error) {
      this.server.log.error(`search: ${errorMessage(error)}`);
      return [row(t("Search failed"), { detail: errorMessage(error) }), this.logs()];
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

/** `alwaysShow`: the server has ranked the rows, so the editor should not filter them. */
function row(label: string, more: Partial<Row> = {}): Row {
  return { label, alwaysShow: true, ...more };
}

function nothing(query: string): Row {
  return query.trim() === ""
    ? row(t("No learned entries yet"))
    : row(t("No entries match '{0}'", query.trim()), { detail: t("Try fewer or different words.") });
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
    throw new Error(t("Cannot open '{0}': {1}", summary, errorMessage(error)), { cause: error });
  }
}
