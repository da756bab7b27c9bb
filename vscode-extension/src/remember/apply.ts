/** Applies a plan as one undoable edit, saves the file, and offers to open or undo it. */
import * as path from "node:path";
import * as vscode from "vscode";
import { showError } from "../errors";
import { asSentence, t } from "../l10n";
import type { RememberPlan } from "../protocol";

/** Whether the target file was saved after the edit, and why not. */
type SaveResult = "saved" | "had unsaved changes" | "save failed";

/**
 * Apply `edit`, save the file unless it had unsaved changes, and report where the item is.
 * Returns false if the file changed after the plan was made or the editor rejected the edit.
 */
export async function applyPlan(
  plan: RememberPlan,
  edit: vscode.WorkspaceEdit,
  log: vscode.LogOutputChannel,
): Promise<boolean> {
  if (!isCurrent(plan)) {
    return false;
  }
  const uris = edit.entries().map(([uri]) => uri);
  const unsaved = new Set(
    vscode.workspace.textDocuments.filter((item) => item.isDirty).map((item) => item.uri.toString()),
  );
  if (!(await vscode.workspace.applyEdit(edit, { isRefactoring: true }))) {
    return false;
  }
  // Before saving, which takes time in which the user may type.
  const version = await targetVersion(plan);
  let result: SaveResult = "saved";
  for (const uri of uris) {
    if (unsaved.has(uri.toString())) {
      result = "had unsaved changes";
    } else if (!(await save(uri))) {
      result = "save failed";
    }
  }
  report(plan, version, result).catch((error: unknown) => {
    showError(log, "remember", error);
  });
  return true;
}

/** Whether the open documents have the versions of the plan; the editor does not check this. */
function isCurrent(plan: RememberPlan): boolean {
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

/** Show the item of `plan` (or the one it duplicates) in an editor; returns its document. */
export async function openTarget({ target }: RememberPlan): Promise<vscode.TextDocument | undefined> {
  if (!target) {
    return undefined;
  }
  const position = new vscode.Position(Math.max(0, target.line), 0);
  const editor = await vscode.window.showTextDocument(vscode.Uri.parse(target.uri), {
    selection: new vscode.Range(position, position),
  });
  return editor.document;
}

/** The current version of the target document. */
async function targetVersion({ target }: RememberPlan): Promise<number | undefined> {
  return target ? (await vscode.workspace.openTextDocument(vscode.Uri.parse(target.uri))).version : undefined;
}

/** Save the document; returns whether it is on disk now. */
async function save(uri: vscode.Uri): Promise<boolean> {
  const document = await vscode.workspace.openTextDocument(uri);
  return !document.isDirty || document.save();
}

async function report(plan: RememberPlan, version: number | undefined, result: SaveResult): Promise<void> {
  const open = t("Open");
  const undo = t("Undo");
  const message = asSentence(plan.message);
  const choice =
    result === "save failed"
      ? await vscode.window.showWarningMessage(
          `${message} ${t("Saving the file failed; the item is only in the editor.")}`,
          open,
          undo,
        )
      : await vscode.window.showInformationMessage(
          result === "saved" ? message : `${message} ${t("The file isn't saved because it had other unsaved changes.")}`,
          open,
          undo,
        );
  if (!choice) {
    return;
  }
  // Not an earlier document: the editor closes documents without a tab. Reopening keeps the version.
  const document = await openTarget(plan);
  if (choice === undo && document) {
    await undoEdit(document, version, result === "saved");
  }
}

/** Undo the edit in the active editor, unless `document` has changed since `version`. */
async function undoEdit(document: vscode.TextDocument, version: number | undefined, thenSave: boolean): Promise<void> {
  if (document.version !== version) {
    const name = path.basename(document.uri.fsPath);
    void vscode.window.showInformationMessage(
      t("{0} has changed since then. Undo step by step, or remove the item manually.", name),
    );
    return;
  }
  await vscode.commands.executeCommand("undo");
  if (thenSave) {
    await document.save();
  }
}
