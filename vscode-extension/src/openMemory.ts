/** Opening the memory file of a scope, or making it after asking. */
import * as vscode from "vscode";
import { t } from "./l10n";
import { memoryFile } from "./memoryFile";
import { currentPlace } from "./place";
import type { Scope } from "./protocol";
import { sourcesRequest } from "./protocol";
import type { LanguageServer } from "./server/server";

export async function openMemory(server: LanguageServer, scope: Scope): Promise<void> {
  const known = await server.request(sourcesRequest, currentPlace());
  if (!known) {
    return;
  }
  const source = memoryFile(known.sources, scope);
  if (!source) {
    void vscode.window.showInformationMessage(
      scope === "user"
        ? t("{0} has no user memory file.", known.title)
        : t("{0} finds no project here: open a folder with a project first.", known.title),
    );
    return;
  }
  const uri = vscode.Uri.parse(source.uri);
  if (source.status === "missing") {
    await createMemory(uri, source.path);
  } else {
    await vscode.window.showTextDocument(uri);
  }
}

/** Ask, then make a memory file with two empty sections and open it. */
export async function createMemory(uri: vscode.Uri, path: string): Promise<boolean> {
  if (!vscode.workspace.isTrusted) {
    throw new Error(t("This workspace is not trusted yet, so nothing is written."));
  }
  const create = t("Create");
  const choice = await vscode.window.showInformationMessage(
    t("There is no such file yet. Create it?"),
    { modal: true, detail: path },
    create,
  );
  if (choice !== create) {
    return false;
  }
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(uri, { ignoreIfExists: true, contents: Buffer.from(TEMPLATE) });
  if (!(await vscode.workspace.applyEdit(edit))) {
    throw new Error(t("{0} could not be created.", path));
  }
  await vscode.window.showTextDocument(uri);
  return true;
}

const TEMPLATE = "# Memory\n\n## Preferences\n\n## Project\n";
