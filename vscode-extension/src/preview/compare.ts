/** "Compare…": the prompt beside what is saved, an earlier state, or another runtime's. */
import * as vscode from "vscode";
import { t } from "../l10n";
import type { Place } from "../protocol";
import { promptRequest, sourcesRequest } from "../protocol";
import type { LanguageServer } from "../server/server";
import type { State } from "./history";
import type { SavedStates } from "./saved";
import { timeOf } from "./saved";
import type { PromptTexts } from "./texts";

export interface CompareParts {
  server: LanguageServer;
  texts: PromptTexts;
  saved: SavedStates;
  place: Place;
}

interface Choice extends vscode.QuickPickItem {
  /** Gives the text to compare with; undefined where there is none. */
  text: () => Promise<string | undefined>;
}

export async function compare(parts: CompareParts): Promise<void> {
  const choice = await vscode.window.showQuickPick(choices(parts), {
    title: t("Compare the Prompt"),
    placeHolder: t("Compare what is shown with …"),
  });
  if (!choice) {
    return;
  }
  const [other, current] = await Promise.all([
    choice.text(),
    ask(parts, {}),
  ]);
  if (other !== undefined && current !== undefined) {
    await diff(parts.texts, [choice.label, other], [t("now"), current]);
  }
}

/** Show two saved states beside each other. */
export async function compareTexts(texts: PromptTexts, before: State, after: State): Promise<void> {
  await diff(texts, [t("before {0}", timeOf(after.at)), before.text], [
    t("at {0}", timeOf(after.at)),
    after.text,
  ]);
}

async function choices(parts: CompareParts): Promise<Choice[]> {
  const known = await parts.server.request(sourcesRequest, parts.place);
  const others = known?.runtimes.filter(({ id }) => id !== known.runtime) ?? [];
  return [
    {
      label: t("Saved Files"),
      description: t("without unsaved changes"),
      text: () => ask(parts, { saved: true }),
    },
    ...(vscode.workspace.isTrusted
      ? [
          {
            label: t("Last Commit"),
            description: t("files as git's HEAD has them"),
            text: () => ask(parts, { committed: true }),
          },
        ]
      : []),
    ...parts.saved.all.slice(1).map((state, index) => ({
      label: t("Before {0}", timeOf(parts.saved.all[index]?.at ?? state.at)),
      description: t("an earlier state in this session"),
      text: () => Promise.resolve(state.text),
    })),
    ...others.map(({ id, title }) => ({
      label: title,
      description: t("another runtime"),
      text: () => ask(parts, { runtime: id }),
    })),
  ];
}

async function ask(parts: CompareParts, more: object): Promise<string | undefined> {
  const prompt = await parts.server.request(promptRequest, { ...parts.place, ...more });
  return prompt?.text;
}

async function diff(
  texts: PromptTexts,
  left: readonly [string, string],
  right: readonly [string, string],
): Promise<void> {
  await vscode.commands.executeCommand(
    "vscode.diff",
    texts.put(`compare/${fileName(left[0])}`, left[1]),
    texts.put(`compare/${fileName(right[0])}`, right[1]),
    t("Prompt: {0} ↔ {1}", left[0], right[0]),
  );
}

function fileName(label: string): string {
  return label.replace(/[^\p{L}\p{N}._-]+/gu, "-");
}
