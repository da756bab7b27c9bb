/** What the menu of a row does with its file. */
import * as vscode from "vscode";
import { isPreviewTab } from "../preview/previewTab";

/** Open a file; not in the place of a preview that has the focus. */
export async function openBesidePreview(uri: vscode.Uri, options: vscode.TextDocumentShowOptions = {}): Promise<void> {
  const { activeTabGroup, all } = vscode.window.tabGroups;
  const other = all.find((group) => group !== activeTabGroup && !isPreviewTab(group.activeTab));
  const viewColumn = isPreviewTab(activeTabGroup.activeTab)
    ? (other?.viewColumn ?? vscode.ViewColumn.Beside)
    : vscode.ViewColumn.Active;
  await vscode.window.showTextDocument(uri, { viewColumn, ...options });
}

export async function openToSide(uri: vscode.Uri): Promise<void> {
  await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.Beside });
}

/** Show a file in the Explorer; one outside of the workspace in the system's file manager. */
export async function reveal(uri: vscode.Uri): Promise<void> {
  const isInside = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  await vscode.commands.executeCommand(isInside ? "revealInExplorer" : "revealFileInOS", uri);
}

export async function copyPath(uri: vscode.Uri): Promise<void> {
  await vscode.env.clipboard.writeText(uri.fsPath);
}

/** Copy the path from the workspace folder on; the whole path of a file outside of it. */
export async function copyRelativePath(uri: vscode.Uri): Promise<void> {
  await vscode.env.clipboard.writeText(vscode.workspace.asRelativePath(uri, false));
}
