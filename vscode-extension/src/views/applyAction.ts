/** Does what the server advises about a file that is not read; the user has chosen it. */
import * as vscode from "vscode";
import { createMemory } from "../openMemory";
import type { PreviewPanels } from "../preview/panels";
import type { Action } from "../protocol";
import { openBesidePreview } from "./sourceActions";

export async function applyAction(action: Action, file: string, previews: PreviewPanels): Promise<void> {
  const uri = action.uri ? vscode.Uri.parse(action.uri) : undefined;
  if (action.kind === "create" && uri) {
    await createMemory(uri, uri.fsPath, action.text ?? "");
  } else if (action.kind === "open" && uri) {
    const line = new vscode.Position(action.line ?? 0, 0);
    await openBesidePreview(uri, { selection: new vscode.Range(line, line) });
  } else if (action.kind === "runtime" && action.runtime) {
    previews.show({ uri: file });
    previews.pickRuntime(action.runtime);
  } else {
    void vscode.window.showInformationMessage(action.message);
  }
}
