/**
 * The prompt as it is on disk, over time.
 *
 * Runtimes read memory once, when an agent starts. So each time the saved prompt changes, agents
 * started before hold the text of before, and the panel says so.
 */
import * as vscode from "vscode";
import { reasonOf } from "../failures";
import { t } from "../l10n";
import { Later } from "../later";
import type { Changed, Place } from "../protocol";
import { promptRequest } from "../protocol";
import type { LanguageServer } from "../server/server";
import type { Shown } from "./feed";
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
      this.complain(error);
    });
  }, LOOK_MS);
  private change: Changed | undefined;
  private starting = false;
  readonly onDidChange = this.notices.event;
  notice: StaleNotice | null = null;
  before: State | undefined;

  /** `shown` is what the panel shows, with its secrets masked; undefined where it does not. */
  constructor(
    private readonly server: LanguageServer,
    private readonly target: () => Place,
    private readonly shown: () => Shown | undefined,
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
    if (this.latest || this.starting) {
      return;
    }
    this.starting = true;
    try {
      await this.take(Date.now());
    } catch (error) {
      this.complain(error);
    } finally {
      this.starting = false;
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

  /** Note what is saved; the state before it where it differs. */
  private async take(at: number): Promise<State | undefined> {
    const shown = this.shown();
    const { told } = this.server;
    const isAbout = shown && told && whose(shown) === whose(told);
    if (isAbout && told.saved === this.latest?.hash) {
      return undefined;
    }
    const prompt =
      isAbout && told.saved === shown.hash
        ? shown // nothing is unsaved
        : await this.server.request(promptRequest, { ...this.target(), saved: true });
    return prompt && this.history.add(prompt, at);
  }

  private complain(error: unknown): void {
    this.server.log.error(`saved prompt: ${reasonOf(error)}`);
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

/** Whose prompt it is: another one has another history. */
export function whose({ root, runtime, agent }: Pick<Shown, "root" | "runtime" | "agent">): string {
  return JSON.stringify([root, runtime, agent]);
}

/** Hours and minutes, as the user's language writes them. */
export function timeOf(at: number): string {
  return new Intl.DateTimeFormat(vscode.env.language, { timeStyle: "short" }).format(at);
}
