/** Moves a file that is not read to a location that the runtime reads. */
import * as vscode from "vscode";
import { t } from "../l10n";
import { ensureInside } from "../openMemory";
import type { SourceItem } from "./sourceItems";

/** Ask, then move. The editor updates links and history. */
export async function moveSource({ source, moveTo }: SourceItem): Promise<void> {
  if (!moveTo) {
    throw new Error(t("Every location the runtime reads is taken. Move the lines manually."));
  }
  ensureInside(moveTo.path);
  const move = t("Move");
  const choice = await vscode.window.showInformationMessage(
    t("Move this file to a location the runtime reads?"),
    { modal: true, detail: `${source.path}\n→ ${moveTo.path}` },
    move,
  );
  if (choice === move) {
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(vscode.Uri.parse(source.uri), vscode.Uri.parse(moveTo.uri), {
      overwrite: false,
    });
    if (!(await vscode.workspace.applyEdit(edit))) {
      throw new Error(t("Cannot move {0}.", source.path));
    }
  }
}
