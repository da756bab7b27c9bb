/** Opens the memory file of a scope, or creates it after asking. */
import * as vscode from "vscode";
import { t } from "./l10n";
import { findMemoryFile } from "./findMemoryFile";
import { leavesFolder } from "./leavesFolder";
import { currentContext } from "./requestContext";
import type { Scope } from "./protocol";
import { sourcesRequest } from "./protocol";
import type { LanguageServer } from "./server/server";

export async function openMemory(server: LanguageServer, scope: Scope): Promise<void> {
  const known = await server.request(sourcesRequest, currentContext());
  if (!known) {
    return;
  }
  const source = findMemoryFile(known.sources, scope);
  if (!source) {
    void vscode.window.showInformationMessage(
      scope === "user"
        ? t("{0} has no user memory file.", known.title)
        : t("{0} found no project here. Open a project folder first.", known.title),
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

/** Ask, then create a memory file with `text` and open it. Returns false on a no. */
export async function createMemory(uri: vscode.Uri, path: string, text = TEMPLATE): Promise<boolean> {
  if (!vscode.workspace.isTrusted) {
    throw new Error(t("This workspace isn't trusted, so nothing can be written."));
  }
  ensureInside(path);
  const create = t("Create");
  const choice = await vscode.window.showInformationMessage(
    t("This file doesn't exist yet. Create it?"),
    { modal: true, detail: path },
    create,
  );
  if (choice !== create) {
    return false;
  }
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(uri, { ignoreIfExists: true, contents: Buffer.from(text) });
  if (!(await vscode.workspace.applyEdit(edit))) {
    throw new Error(t("Cannot create {0}.", path));
  }
  await vscode.window.showTextDocument(uri);
  return true;
}

/** Throw if a link of the workspace leads from `path` to somewhere else. */
export function ensureInside(path: string): void {
  const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
  if (leavesFolder(path, folders)) {
    throw new Error(t("{0} leads out of the project through a link, so nothing was written. Remove the link.", path));
  }
}

/** Without empty sections: these would be findings. */
const TEMPLATE = "# Memory\n\nFacts and rules for agents, one item per line.\n";
