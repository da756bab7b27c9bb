/**
 * The saved prompt over time.
 *
 * Runtimes read memory once, when an agent starts. When the saved prompt changes, running agents
 * keep the previous text; the panel shows a notice.
 */
import * as vscode from "vscode";
import { Debouncer } from "../debouncer";
import { errorMessage } from "../errors";
import { t } from "../l10n";
import type { ChangeEvent, RequestContext } from "../protocol";
import { promptRequest } from "../protocol";
import type { LanguageServer } from "../server/server";
import type { Snapshot } from "./history";
import { History, lineChanges } from "./history";
import type { ShownPrompt } from "./incrementalPrompt";
import type { StaleNotice } from "./messages";

/** A change within this time after a save in the editor (milliseconds) is caused by that save. */
const SAVE_MS = 3_000;

/** Delay between the last change and the next snapshot (milliseconds). */
const SNAPSHOT_DELAY_MS = 700;

export class SavedPrompts implements vscode.Disposable {
  private readonly history = new History();
  private readonly notices = new vscode.EventEmitter<StaleNotice | null>();
  private readonly saves = new Map<string, number>();
  private readonly listener = vscode.workspace.onDidSaveTextDocument((document) => {
    this.saves.set(document.uri.toString(), Date.now());
  });
  private readonly debouncer = new Debouncer(() => {
    this.update().catch((error: unknown) => {
      this.logError(error);
    });
  }, SNAPSHOT_DELAY_MS);
  private change: ChangeEvent | undefined;
  private starting = false;
  readonly onDidChange = this.notices.event;
  notice: StaleNotice | null = null;
  before: Snapshot | undefined;

  /** `shown` returns the masked prompt of the panel; undefined while the panel has none. */
  constructor(
    private readonly server: LanguageServer,
    private readonly context: () => RequestContext,
    private readonly shown: () => ShownPrompt | undefined,
  ) {}

  get latest(): Snapshot | undefined {
    return this.history.newestFirst[0];
  }

  get all(): readonly Snapshot[] {
    return this.history.newestFirst;
  }

  clear(): void {
    this.history.clear();
    this.before = undefined;
    this.setNotice(null);
  }

  /** Take the first snapshot, unless there is one. */
  async start(): Promise<void> {
    if (this.latest || this.starting) {
      return;
    }
    this.starting = true;
    try {
      await this.snapshot(Date.now());
    } catch (error) {
      this.logError(error);
    } finally {
      this.starting = false;
    }
  }

  /** Check soon whether `change` changed the saved prompt; debounced while the user types. */
  onServerChange(change: ChangeEvent): void {
    this.change = change;
    this.debouncer.schedule();
  }

  dispose(): void {
    this.debouncer.dispose();
    this.listener.dispose();
    this.notices.dispose();
  }

  private async update(): Promise<void> {
    const { change } = this;
    if (!change) {
      return;
    }
    const before = await this.snapshot(change.at * 1000);
    if (before && this.latest) {
      this.before = before;
      this.setNotice(noticeOf(before, this.latest, this.isOwnSave(change)));
    }
  }

  /** Record the saved prompt; returns the previous snapshot if it differs. */
  private async snapshot(at: number): Promise<Snapshot | undefined> {
    const shown = this.shown();
    const { lastChange } = this.server;
    const isSamePrompt = shown && lastChange && promptKey(shown) === promptKey(lastChange);
    if (isSamePrompt && lastChange.saved === this.latest?.hash) {
      return undefined;
    }
    const prompt =
      isSamePrompt && lastChange.saved === shown.hash
        ? shown // there are no unsaved edits
        : await this.server.request(promptRequest, { ...this.context(), saved: true });
    return prompt && this.history.add(prompt, at);
  }

  private logError(error: unknown): void {
    this.server.log.error(`saved prompt: ${errorMessage(error)}`);
  }

  /** Whether the change was caused by a save in this editor. */
  private isOwnSave(change: ChangeEvent): boolean {
    const now = Date.now();
    return change.uris.some((uri) => now - (this.saves.get(uri) ?? 0) < SAVE_MS);
  }

  private setNotice(value: StaleNotice | null): void {
    this.notice = value;
    this.notices.fire(value);
  }
}

function noticeOf(before: Snapshot, after: Snapshot, isOwnSave: boolean): StaleNotice {
  const time = formatTime(after.at);
  const { added, removed } = lineChanges(before.text, after.text);
  return {
    text: isOwnSave
      ? t("Saved at {0}. Agents started earlier still use the previous text.", time)
      : t("Changed on disk by another program at {0}. Agents started earlier still use the previous text.", time),
    link: t("Show changes (+{0}, −{1})", added, removed),
  };
}

/** Identifies a prompt; a history belongs to one of them. */
export function promptKey({ root, runtime, agent }: Pick<ShownPrompt, "root" | "runtime" | "agent">): string {
  return JSON.stringify([root, runtime, agent]);
}

/** Hours and minutes in the format of the user's language. */
export function formatTime(at: number): string {
  return new Intl.DateTimeFormat(vscode.env.language, { timeStyle: "short" }).format(at);
}
