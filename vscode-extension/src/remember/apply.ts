/** Applying a plan: one undoable edit, saved, with a way to see it and a way back. */
import * as path from "node:path";
import * as vscode from "vscode";
import { tell } from "../failures";
import { t } from "../l10n";
import type { RememberPlan } from "../protocol";

/** Why the file that was filed into is not on disk as it is in the editor. */
type Unsaved = "no" | "changed before" | "save failed";

/**
 * Apply `edit`, save the file if it had no unsaved changes before, and say where it went.
 * False where the file is not what the plan was made for any more, or the editor refused the edit.
 */
export async function applyPlan(
  plan: RememberPlan,
  edit: vscode.WorkspaceEdit,
  log: vscode.LogOutputChannel,
): Promise<boolean> {
  if (!isForWhatIsOpen(plan)) {
    return false;
  }
  const uris = edit.entries().map(([uri]) => uri);
  const unsaved = new Set(
    vscode.workspace.textDocuments.filter((item) => item.isDirty).map((item) => item.uri.toString()),
  );
  if (!(await vscode.workspace.applyEdit(edit, { isRefactoring: true }))) {
    return false;
  }
  let state: Unsaved = "no";
  for (const uri of uris) {
    if (unsaved.has(uri.toString())) {
      state = "changed before";
    } else if (!(await save(uri))) {
      state = "save failed";
    }
  }
  report(plan, state).catch((error: unknown) => {
    tell(log, "remember", error);
  });
  return true;
}

/** Whether the plan was made for the versions that are open; the editor itself does not look. */
function isForWhatIsOpen(plan: RememberPlan): boolean {
  const planned = new Map(
    (plan.edit?.documentChanges ?? []).flatMap((change) =>
      "textDocument" in change ? [[vscode.Uri.parse(change.textDocument.uri).toString(), change.textDocument.version]] : [],
    ),
  );
  return vscode.workspace.textDocuments.every((document) => {
    const version = planned.get(document.uri.toString());
    return typeof version !== "number" || version === document.version;
  });
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

/** Save the document; whether it is on disk now. */
async function save(uri: vscode.Uri): Promise<boolean> {
  const document = await vscode.workspace.openTextDocument(uri);
  return !document.isDirty || document.save();
}

async function report(plan: RememberPlan, unsaved: Unsaved): Promise<void> {
  const open = t("Open");
  const undo = t("Undo");
  const filed = plan.target && (await vscode.workspace.openTextDocument(vscode.Uri.parse(plan.target.uri)));
  const version = filed?.version;
  const choice =
    unsaved === "save failed"
      ? await vscode.window.showWarningMessage(t("{0}. The file could not be saved; the item is in its editor.", plan.message), open, undo)
      : await vscode.window.showInformationMessage(
          unsaved === "no" ? plan.message : t("{0}. The file is not saved: it has other changes of yours.", plan.message),
          open,
          undo,
        );
  if (!choice) {
    return;
  }
  await openTarget(plan);
  if (choice === undo && filed) {
    await undoIn(filed, version, unsaved === "no");
  }
}

/** Undo the last change of `document`, which is shown, if it is still the one that led to `version`. */
async function undoIn(document: vscode.TextDocument, version: number | undefined, thenSave: boolean): Promise<void> {
  if (document.version !== version) {
    const name = path.basename(document.uri.fsPath);
    void vscode.window.showInformationMessage(
      t("{0} was changed after that. Undo step by step, or take the item out by hand.", name),
    );
    return;
  }
  await vscode.commands.executeCommand("undo");
  if (thenSave) {
    await document.save();
  }
}
