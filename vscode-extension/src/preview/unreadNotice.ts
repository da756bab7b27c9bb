/** The notice on top of a preview that was opened from a memory file which is not in the prompt. */
import * as vscode from "vscode";
import { SELECTOR } from "../filePatterns";
import { t } from "../l10n";
import type { Action, Answer } from "../protocol";
import { explainRequest } from "../protocol";
import type { LanguageServer } from "../server/server";
import { applyAction } from "../views/applyAction";
import type { ShownPrompt } from "./incrementalPrompt";

interface NotRead {
  text: string;
  /** The label of the button; "" without one. */
  button: string;
  action: Action | null;
}

export class UnreadNotice {
  private notice: NotRead | undefined;
  private uri = "";
  /** What the notice depends on, as JSON. */
  private key = "";

  /** `post` shows the notice in the page, or removes it. */
  constructor(
    private readonly server: LanguageServer,
    private readonly post: (notice: { text: string; button: string } | null) => void,
  ) {}

  /** Compute the notice for the file `uri`, unless it is in the prompt or the same files are read. */
  async update(uri: string | undefined, prompt: ShownPrompt): Promise<void> {
    const isInPrompt = prompt.segments.some((segment) => segment.uri === uri);
    const read = isInPrompt ? [] : prompt.sources.map((source) => [source.uri, source.status]);
    const key = JSON.stringify([uri, prompt.runtime, isInPrompt, read]);
    if (key === this.key) {
      return;
    }
    this.key = key;
    this.uri = uri ?? "";
    const notice = uri === undefined || isInPrompt ? undefined : await noticeFor(this.server, uri, prompt);
    if (key === this.key) {
      this.notice = notice;
      this.show();
    }
  }

  show(): void {
    this.post(this.notice ? { text: this.notice.text, button: this.notice.button } : null);
  }

  /** Do what the button says; `pickRuntime` shows the prompt of another runtime. */
  async followAdvice(pickRuntime: (id: string) => void): Promise<void> {
    const action = this.notice?.action;
    if (action) {
      const show = () => undefined; // the preview is open
      await applyAction(action, this.uri, { show, pickRuntime });
    }
  }
}

/** Say why `uri` is not in the prompt, and what helps; undefined for a file that is not memory. */
async function noticeFor(
  server: LanguageServer,
  uri: string,
  prompt: ShownPrompt,
): Promise<NotRead | undefined> {
  if (!isMemoryFile(uri)) {
    return undefined;
  }
  const [explained, others] = await Promise.all([
    server.request(explainRequest, { uri, runtime: prompt.runtime }),
    server.request(explainRequest, { uri }),
  ]);
  const answer = explained?.runtimes[0];
  if (!explained || !answer || isRead(answer)) {
    return undefined;
  }
  const reader = others?.runtimes.find(isRead);
  const text = t("{0} is not part of this prompt: {1}", explained.shown, answer.reason);
  if (reader) {
    const action: Action = { message: "", kind: "runtime", runtime: reader.runtime };
    return { text, button: t("Show the Prompt of {0}", reader.title), action };
  }
  const { action } = answer;
  const canAct = action?.kind === "open" || action?.kind === "create";
  return {
    text: [text, action?.message ?? ""].filter(Boolean).join(" → "),
    button: canAct ? t("Apply Suggestion") : "",
    action,
  };
}

function isRead({ outcome }: Answer): boolean {
  return outcome === "loaded" || outcome === "on-demand" || outcome === "cut";
}

function isMemoryFile(uri: string): boolean {
  const wanted = vscode.Uri.parse(uri).toString();
  const document = vscode.workspace.textDocuments.find((item) => item.uri.toString() === wanted);
  return document !== undefined && vscode.languages.match(SELECTOR, document) > 0;
}
