/** "Compare…": the prompt beside the saved files, an earlier snapshot, or another runtime's prompt. */
import * as vscode from "vscode";
import { sizeChangeText } from "../countTexts";
import { t } from "../l10n";
import type { Prompt, PromptParams, RequestContext } from "../protocol";
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

type SizedText = Pick<Prompt, "text" | "tokens">;

interface Choice extends vscode.QuickPickItem {
  /** The name of the shown prompt beside this choice; by default "now". */
  now?: string;
  /** Returns the prompt to compare with; undefined without a server. */
  prompt: () => Promise<SizedText | undefined>;
}

export async function compare(options: CompareOptions): Promise<void> {
  const choice = await vscode.window.showQuickPick(choices(options), {
    title: t("Compare Prompt"),
    placeHolder: t("Compare the shown prompt with…"),
  });
  if (!choice) {
    return;
  }
  const [other, current] = await Promise.all([choice.prompt(), prompt(options)]);
  if (other && current) {
    const names: [string, string] = [choice.label, choice.now ?? t("now")];
    await showPrompts(options.documents, names, other, current);
  }
}

/** Show two snapshots side by side. */
export async function compareTexts(documents: PromptDocuments, before: Snapshot, after: Snapshot): Promise<void> {
  const time = formatTime(after.at);
  await showPrompts(documents, [t("before {0}", time), t("at {0}", time)], before, after);
}

/** Show two prompts side by side; the title says how the size changed. */
async function showPrompts(
  documents: PromptDocuments,
  names: readonly [string, string],
  before: SizedText,
  after: SizedText,
): Promise<void> {
  const change = sizeChangeText(before.tokens, after.tokens, vscode.env.language);
  await showDifference(documents, [names[0], before.text], [names[1], after.text], change);
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
        prompt: () => prompt(options, { runtime: id }),
      }));
  const saved = {
    label: t("Saved files"),
    description: t("ignore unsaved edits"),
    prompt: () => prompt(options, { saved: true }),
  };
  const committed = {
    label: t("Last commit"),
    description: t("files at HEAD"),
    prompt: () => prompt(options, { committed: true }),
  };
  return [
    saved,
    ...(vscode.workspace.isTrusted ? [committed] : []),
    ...options.saved.all.slice(1).map((snapshot, index) => ({
      label: t("Before {0}", formatTime(options.saved.all[index]?.at ?? snapshot.at)),
      description: t("earlier in this session"),
      prompt: () => Promise.resolve(snapshot),
    })),
    ...group(t("Agents found"), runtimes(true)),
    ...group(t("Other agents"), runtimes(false)),
  ];
}

/** The choices below a heading; nothing without choices. */
function group(heading: string, choices: readonly Choice[]): Choice[] {
  const separator = { label: heading, kind: vscode.QuickPickItemKind.Separator, prompt: () => Promise.resolve(undefined) };
  return choices.length > 0 ? [separator, ...choices] : [];
}

async function prompt(options: CompareOptions, params: PromptParams = {}): Promise<Prompt | undefined> {
  return options.server.request(promptRequest, { ...options.context, ...params });
}

/** Show two texts, each with its name, side by side; `note` is the end of the title. */
export async function showDifference(
  documents: PromptDocuments,
  left: readonly [string, string],
  right: readonly [string, string],
  note = "",
): Promise<void> {
  const title = t("Prompt: {0} ↔ {1}", left[0], right[0]);
  await vscode.commands.executeCommand(
    "vscode.diff",
    documents.put(`compare/${fileName(left[0])}`, left[1]),
    documents.put(`compare/${fileName(right[0])}`, right[1]),
    note === "" ? title : `${title} (${note})`,
  );
}

function fileName(label: string): string {
  return label.replace(/[^\p{L}\p{N}._-]+/gu, "-");
}
