/**
 * The prompt as it is on disk, over time.
 *
 * Runtimes read memory once, when an agent starts. So each time the saved prompt changes, agents
 * started before hold the text of before, and the panel says so.
 */
import * as vscode from "vscode";
import { t } from "../l10n";
import { Later } from "../later";
import type { Changed, Place } from "../protocol";
import { promptRequest } from "../protocol";
import type { LanguageServer } from "../server/server";
import type { State } from "./history";
import { History, lineChanges } from "./history";
import type { StaleNotice } from "./messages";

/** A change this long after a save in the editor (milliseconds) is that save. */
const SAVE_MS = 3_000;

/** How long after the last change to look (milliseconds). */
const LOOK_MS = 700;

export class SavedStates implements vscode.Disposable {
  private readonly history = new History();
  private readonly notices = new vscode.EventEmitter<StaleNotice | null>();
  private readonly saves = new Map<string, number>();
  private readonly listener = vscode.workspace.onDidSaveTextDocument((document) => {
    this.saves.set(document.uri.toString(), Date.now());
  });
  private readonly lookLater = new Later(() => {
    this.look().catch((error: unknown) => {
      this.server.log.warn(`saved prompt: ${String(error)}`);
    });
  }, LOOK_MS);
  private change: Changed | undefined;
  readonly onDidChange = this.notices.event;
  notice: StaleNotice | null = null;
  before: State | undefined;

  constructor(
    private readonly server: LanguageServer,
    private readonly target: () => Place,
  ) {}

  get latest(): State | undefined {
    return this.history.newestFirst[0];
  }

  get all(): readonly State[] {
    return this.history.newestFirst;
  }

  clear(): void {
    this.history.clear();
    this.before = undefined;
    this.tell(null);
  }

  /** Take the first state, to which later ones are compared. */
  async start(): Promise<void> {
    if (!this.latest) {
      await this.take(Date.now());
    }
  }

  /** Look soon whether `change` changed what is on disk; while somebody types it waits. */
  note(change: Changed): void {
    this.change = change;
    this.lookLater.ask();
  }

  private async look(): Promise<void> {
    const { change } = this;
    if (!change) {
      return;
    }
    const at = change.at * 1000;
    const before = await this.take(at);
    if (before && this.latest) {
      this.before = before;
      this.tell(notice(before, this.latest, this.isOurs(change)));
    }
  }

  dispose(): void {
    this.lookLater.dispose();
    this.listener.dispose();
    this.notices.dispose();
  }

  private async take(at: number): Promise<State | undefined> {
    const prompt = await this.server.request(promptRequest, { ...this.target(), saved: true });
    return prompt && this.history.add(prompt, at);
  }

  private isOurs(change: Changed): boolean {
    const now = Date.now();
    return change.uris.some((uri) => now - (this.saves.get(uri) ?? 0) < SAVE_MS);
  }

  private tell(value: StaleNotice | null): void {
    this.notice = value;
    this.notices.fire(value);
  }
}

function notice(before: State, after: State, ours: boolean): StaleNotice {
  const time = timeOf(after.at);
  const { added, removed } = lineChanges(before.text, after.text);
  return {
    text: ours
      ? t("Saved at {0}. Agents started before that still hold the previous text.", time)
      : t(
          "Changed on disk at {0} by another program. Agents started before that still hold the previous text.",
          time,
        ),
    link: t("Show the difference (+{0}, −{1})", added, removed),
  };
}

/** Hours and minutes, as the user's language writes them. */
export function timeOf(at: number): string {
  return new Intl.DateTimeFormat(vscode.env.language, { timeStyle: "short" }).format(at);
}
