/** The project a command is about. */
import * as vscode from "vscode";

/**
 * The file or folder to ask the server about: the active editor's file if it is in a workspace
 * folder, else the first folder, else the file; undefined where there is neither.
 */
export function currentPlace(): { uri?: string } {
  const active = vscode.window.activeTextEditor?.document.uri;
  const file = active?.scheme === "file" ? active : undefined;
  const folder = file && vscode.workspace.getWorkspaceFolder(file);
  const uri = folder ? file : (vscode.workspace.workspaceFolders?.[0]?.uri ?? file);
  return uri ? { uri: uri.toString() } : {};
}
