/** The notice on top of a preview that was opened from a memory file which is not in the prompt. */
import * as vscode from "vscode";
import { SELECTOR } from "../filePatterns";
import { t } from "../l10n";
import type { Action, Answer } from "../protocol";
import { explainRequest } from "../protocol";
import type { LanguageServer } from "../server/server";
import type { ShownPrompt } from "./incrementalPrompt";

export interface NotRead {
  text: string;
  /** The label of the button; "" without one. */
  button: string;
  action: Action | null;
}

/** Say why `uri` is not in the prompt, and what helps; undefined if it is, or is no memory file. */
export async function notReadNotice(
  server: LanguageServer,
  uri: string,
  prompt: ShownPrompt,
): Promise<NotRead | undefined> {
  if (!isMemoryFile(uri) || prompt.segments.some((segment) => segment.uri === uri)) {
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
    button: canAct ? t("Do What Is Advised") : "",
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
