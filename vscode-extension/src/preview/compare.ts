/** "Compare…": the prompt beside the saved files, an earlier snapshot, or another runtime's prompt. */
import * as vscode from "vscode";
import { t } from "../l10n";
import type { PromptParams, RequestContext } from "../protocol";
import { promptRequest, sourcesRequest } from "../protocol";
import type { LanguageServer } from "../server/server";
import type { Snapshot } from "./history";
import type { PromptDocuments } from "./promptDocuments";
import type { SavedPrompts } from "./savedPrompts";
import { formatTime } from "./savedPrompts";

export interface CompareOptions {
  server: LanguageServer;
  documents: PromptDocuments;
  saved: SavedPrompts;
  context: RequestContext;
}

interface Choice extends vscode.QuickPickItem {
  /** The name of the shown prompt beside this choice; by default "now". */
  now?: string;
  /** Returns the text to compare with; undefined without a server. */
  text: () => Promise<string | undefined>;
}

export async function compare(options: CompareOptions): Promise<void> {
  const choice = await vscode.window.showQuickPick(choices(options), {
    title: t("Compare Prompt"),
    placeHolder: t("Compare the shown prompt with…"),
  });
  if (!choice) {
    return;
  }
  const [other, current] = await Promise.all([choice.text(), promptText(options)]);
  if (other !== undefined && current !== undefined) {
    await showDifference(options.documents, [choice.label, other], [choice.now ?? t("now"), current]);
  }
}

/** Show two snapshots side by side. */
export async function compareTexts(documents: PromptDocuments, before: Snapshot, after: Snapshot): Promise<void> {
  const time = formatTime(after.at);
  await showDifference(documents, [t("before {0}", time), before.text], [t("at {0}", time), after.text]);
}

async function choices(options: CompareOptions): Promise<Choice[]> {
  const known = await options.server.request(sourcesRequest, options.context);
  const others = known?.runtimes.filter(({ id }) => id !== known.runtime) ?? [];
  const runtimes = (listed: boolean) =>
    others
      .filter((item) => item.listed === listed)
      .map(({ id, title }): Choice => ({
        label: title,
        description: id === title ? "" : id,
        now: known?.title ?? "",
        text: () => promptText(options, { runtime: id }),
      }));
  const saved = {
    label: t("Saved files"),
    description: t("ignore unsaved edits"),
    text: () => promptText(options, { saved: true }),
  };
  const committed = {
    label: t("Last commit"),
    description: t("files at HEAD"),
    text: () => promptText(options, { committed: true }),
  };
  return [
    saved,
    ...(vscode.workspace.isTrusted ? [committed] : []),
    ...options.saved.all.slice(1).map((snapshot, index) => ({
      label: t("Before {0}", formatTime(options.saved.all[index]?.at ?? snapshot.at)),
      description: t("earlier in this session"),
      text: () => Promise.resolve(snapshot.text),
    })),
    ...group(t("Agents found"), runtimes(true)),
    ...group(t("Other agents"), runtimes(false)),
  ];
}

/** The choices below a heading; nothing without choices. */
function group(heading: string, choices: readonly Choice[]): Choice[] {
  const separator = { label: heading, kind: vscode.QuickPickItemKind.Separator, text: () => Promise.resolve(undefined) };
  return choices.length > 0 ? [separator, ...choices] : [];
}

async function promptText(options: CompareOptions, params: PromptParams = {}): Promise<string | undefined> {
  const prompt = await options.server.request(promptRequest, { ...options.context, ...params });
  return prompt?.text;
}

/** Show two texts, each with its name, side by side. */
export async function showDifference(
  documents: PromptDocuments,
  left: readonly [string, string],
  right: readonly [string, string],
): Promise<void> {
  await vscode.commands.executeCommand(
    "vscode.diff",
    documents.put(`compare/${fileName(left[0])}`, left[1]),
    documents.put(`compare/${fileName(right[0])}`, right[1]),
    t("Prompt: {0} ↔ {1}", left[0], right[0]),
  );
}

function fileName(label: string): string {
  return label.replace(/[^\p{L}\p{N}._-]+/gu, "-");
}
