/** "In Another Memory File…": lets the user select one of the available memory files. */
import * as os from "node:os";
import * as vscode from "vscode";
import { t } from "../l10n";
import { shortener } from "../preview/paths";
import { targetsRequest } from "../protocol";
import { currentContext } from "../requestContext";
import type { LanguageServer } from "../server/server";
import { fileChoices } from "./fileChoices";

/** The selected file; undefined if the user cancels. */
export async function chooseFile(server: LanguageServer): Promise<{ file: string } | undefined> {
  const found = await server.request(targetsRequest, currentContext());
  const folders = vscode.workspace.workspaceFolders?.map((item) => item.uri.fsPath) ?? [];
  const choices = fileChoices(found?.targets ?? [], shortener(folders, os.homedir()));
  const choice = await vscode.window.showQuickPick(choices, {
    title: t("Remember This"),
    placeHolder: t("Select a memory file"),
    matchOnDescription: true,
  });
  return choice && { file: choice.file };
}
