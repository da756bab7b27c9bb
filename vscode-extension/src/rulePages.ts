/** The pages of the rules, which are part of the extension: they open without a network. */
import * as path from "node:path";
import * as vscode from "vscode";
import { t } from "./l10n";

const FOLDER = ["bundled", "libs", "agent_memory", "pages"];
const CODE = /^AM\d{3}$/;

/** The address of a page in the server's findings and hovers. */
export const RULE_PAGES = "command:agentMemory.openRulePage?%5B%22{code}%22%5D";

/** Show the page of the rule `code`; without one, of the rule that the user selects. */
export async function openRulePage(extensionUri: vscode.Uri, code: unknown): Promise<void> {
  const folder = vscode.Uri.joinPath(extensionUri, ...FOLDER);
  const chosen = typeof code === "string" && CODE.test(code) ? code : await pickRule(folder);
  if (!chosen) {
    return;
  }
  const page = vscode.Uri.joinPath(folder, `${chosen}.md`);
  try {
    await vscode.workspace.fs.stat(page);
  } catch {
    throw new Error(t("This version has no page for the rule {0}.", chosen));
  }
  await vscode.commands.executeCommand("markdown.showPreview", page);
}

async function pickRule(folder: vscode.Uri): Promise<string | undefined> {
  const pages = await vscode.workspace.fs.readDirectory(folder);
  const codes = pages.map(([name]) => path.parse(name).name).filter((name) => CODE.test(name)).sort();
  const items = await Promise.all(
    codes.map(async (label) => {
      const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, `${label}.md`));
      const [heading = "", , summary = ""] = new TextDecoder().decode(bytes).split("\n");
      return { label, description: heading.replace(/^# \S+ /, ""), detail: summary };
    }),
  );
  const choice = await vscode.window.showQuickPick(items, {
    title: t("Rule Pages"),
    placeHolder: t("Select a rule"),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return choice?.label;
}
