/** The project that a command applies to. */
import * as vscode from "vscode";

/** The last active file in a workspace folder: a panel or view may have the focus now. */
let last: vscode.Uri | undefined;
const changes = new vscode.EventEmitter<void>();

/** Fires when the active file is in another workspace folder than the previous one. */
export const onDidChangeProject = changes.event;

/** Start tracking the active editor. */
export function trackActiveEditor(): vscode.Disposable {
  const track = (editor: vscode.TextEditor | undefined) => {
    const uri = editor?.document.uri;
    if (uri?.scheme === "file" && vscode.workspace.getWorkspaceFolder(uri)) {
      const before = folderOf(last);
      last = uri;
      if (folderOf(last) !== before) {
        changes.fire();
      }
    }
  };
  track(vscode.window.activeTextEditor);
  return vscode.window.onDidChangeActiveTextEditor(track);
}

/**
 * The file or folder of the current project: the active (or last active) file in a workspace
 * folder, else the first folder, else the active file. Empty without a folder and a file.
 */
export function currentContext(): { uri?: string } {
  const active = vscode.window.activeTextEditor?.document.uri;
  const file = active?.scheme === "file" ? active : undefined;
  const inFolder = [file, last].find((uri) => uri && vscode.workspace.getWorkspaceFolder(uri));
  const uri = inFolder ?? vscode.workspace.workspaceFolders?.[0]?.uri ?? file;
  return uri ? { uri: uri.toString() } : {};
}

function folderOf(uri: vscode.Uri | undefined): string | undefined {
  const folder = uri && vscode.workspace.getWorkspaceFolder(uri);
  return (folder ?? vscode.workspace.workspaceFolders?.[0])?.uri.toString();
}
