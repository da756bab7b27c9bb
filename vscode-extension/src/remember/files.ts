/** "In Another Memory File…": the user chooses among all that can be named. */
import * as os from "node:os";
import * as vscode from "vscode";
import { t } from "../l10n";
import { currentPlace } from "../place";
import { shortener } from "../preview/paths";
import { targetsRequest } from "../protocol";
import type { LanguageServer } from "../server/server";
import { fileChoices } from "./fileChoices";

/** Let the user choose; undefined where nothing was chosen. */
export async function chooseFile(server: LanguageServer): Promise<{ file: string } | undefined> {
  const found = await server.request(targetsRequest, currentPlace());
  const folders = vscode.workspace.workspaceFolders?.map((item) => item.uri.fsPath) ?? [];
  const choices = fileChoices(found?.targets ?? [], shortener(folders, os.homedir()));
  const choice = await vscode.window.showQuickPick(choices, {
    title: t("Remember This"),
    placeHolder: t("The memory file it goes to"),
    matchOnDescription: true,
  });
  return choice && { file: choice.file };
}
