/** Applying a plan: one undoable edit, saved, with a way to see it and a way back. */
import * as path from "node:path";
import * as vscode from "vscode";
import { tell } from "../failures";
import { t } from "../l10n";
import type { RememberPlan } from "../protocol";

/**
 * Apply `edit`, save the file if it had no unsaved changes before, and say where it went.
 * False where the editor refused it: the file is not what the plan was made for any more.
 */
export async function applyPlan(
  plan: RememberPlan,
  edit: vscode.WorkspaceEdit,
  log: vscode.LogOutputChannel,
): Promise<boolean> {
  const uris = edit.entries().map(([uri]) => uri);
  const unsaved = new Set(
    vscode.workspace.textDocuments.filter((item) => item.isDirty).map((item) => item.uri.toString()),
  );
  if (!(await vscode.workspace.applyEdit(edit, { isRefactoring: true }))) {
    return false;
  }
  const kept = uris.filter((uri) => unsaved.has(uri.toString()));
  for (const uri of uris.filter((item) => !kept.includes(item))) {
    await save(uri);
  }
  report(plan, kept.length > 0).catch((error: unknown) => {
    tell(log, "remember", error);
  });
  return true;
}

/** Show the item of `plan` (or the one it duplicates) in an editor. */
export async function openTarget(plan: RememberPlan): Promise<void> {
  if (plan.target) {
    const at = new vscode.Position(Math.max(0, plan.target.line), 0);
    await vscode.window.showTextDocument(vscode.Uri.parse(plan.target.uri), {
      selection: new vscode.Range(at, at),
    });
  }
}

async function save(uri: vscode.Uri): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  if (document.isDirty && !(await document.save())) {
    void vscode.window.showWarningMessage(
      t("{0} could not be saved; the item is in its editor.", path.basename(uri.fsPath)),
    );
  }
}

async function report(plan: RememberPlan, leftUnsaved: boolean): Promise<void> {
  const open = t("Open");
  const undo = t("Undo");
  const text = leftUnsaved
    ? t("{0} The file is not saved: it has other changes of yours.", plan.message)
    : plan.message;
  const choice = await vscode.window.showInformationMessage(text, open, undo);
  if (choice === open) {
    await openTarget(plan);
  } else if (choice === undo) {
    await openTarget(plan);
    await vscode.commands.executeCommand("undo");
    if (!leftUnsaved) {
      await vscode.window.activeTextEditor?.document.save();
    }
  }
}
