/** "Choose Section…": lets the user select a memory file and a heading, or name a new one. */
import * as vscode from "vscode";
import { t } from "../l10n";
import type { RememberParams, RememberPlan, Scope } from "../protocol";
import type { RememberUi } from "./flow";
import type { SectionChoice } from "./sections";
import { sectionGroups } from "./sections";

/** The selected section; undefined if the user cancels or no memory file is available. */
export async function chooseSection(
  ui: RememberUi,
  snippet: Pick<RememberParams, "text" | "origin" | "uri">,
): Promise<{ scope: Scope; section: string } | undefined> {
  const [project, user] = await Promise.all([
    ui.plan({ ...snippet, scope: "project" }),
    ui.plan({ ...snippet, scope: "user" }),
  ]);
  const items = sectionGroups({ project, user }).flatMap<
    vscode.QuickPickItem & Partial<SectionChoice>
  >((group) => [
    { label: group.title, kind: vscode.QuickPickItemKind.Separator },
    ...group.choices,
  ]);
  if (items.length === 0) {
    await ui.onRefused(project?.message ?? user?.message ?? t("The server isn't running."));
    return undefined;
  }
  const choice = await vscode.window.showQuickPick(items, {
    title: t("Remember This"),
    placeHolder: t("Select a section"),
  });
  if (!choice?.scope) {
    return undefined;
  }
  const section = choice.section ?? (await nameSection());
  return section ? { scope: choice.scope, section } : undefined;
}

/** Lets the user select one of the headings of a file, or name a new one. */
export async function pickSection(sections: RememberPlan["sections"]): Promise<string | undefined> {
  const items: (vscode.QuickPickItem & { section?: string })[] = [
    ...sections.map(({ title }) => ({ label: title, section: title })),
    { label: t("New section…") },
  ];
  const choice = await vscode.window.showQuickPick(items, {
    title: t("Remember This"),
    placeHolder: t("Select a section"),
  });
  return choice && (choice.section ?? nameSection());
}

async function nameSection(): Promise<string | undefined> {
  const name = await vscode.window.showInputBox({
    title: t("Remember This"),
    prompt: t("Heading of the new section"),
    validateInput: (value) =>
      /[\r\n#]/.test(value) ? t("A heading must be one line without #.") : undefined,
  });
  return name?.trim();
}
