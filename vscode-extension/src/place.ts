/** The project a command is about. */
import * as vscode from "vscode";

/** The file of a workspace folder that was active last: a panel or a view may have the focus now. */
let last: vscode.Uri | undefined;
const changes = new vscode.EventEmitter<void>();

/** The active file is in another workspace folder than the one before. */
export const onDidChangeProject = changes.event;

/** Take note of the active editors from now on. */
export function followEditors(): vscode.Disposable {
  const note = (editor: vscode.TextEditor | undefined) => {
    const uri = editor?.document.uri;
    if (uri?.scheme === "file" && vscode.workspace.getWorkspaceFolder(uri)) {
      const before = folderOf(last);
      last = uri;
      if (folderOf(last) !== before) {
        changes.fire();
      }
    }
  };
  note(vscode.window.activeTextEditor);
  return vscode.window.onDidChangeActiveTextEditor(note);
}

/**
 * The file or folder to ask the server about: the active editor's file, or the last that was, if it
 * is in a workspace folder, else the first folder, else the file; undefined where there is none.
 */
export function currentPlace(): { uri?: string } {
  const active = vscode.window.activeTextEditor?.document.uri;
  const file = active?.scheme === "file" ? active : undefined;
  const known = [file, last].find((uri) => uri && vscode.workspace.getWorkspaceFolder(uri));
  const uri = known ?? vscode.workspace.workspaceFolders?.[0]?.uri ?? file;
  return uri ? { uri: uri.toString() } : {};
}

function folderOf(uri: vscode.Uri | undefined): string | undefined {
  const folder = uri && vscode.workspace.getWorkspaceFolder(uri);
  return (folder ?? vscode.workspace.workspaceFolders?.[0])?.uri.toString();
}
