/** Does what the server advises about a file that is not read; the user has chosen it. */
import * as vscode from "vscode";
import { asSentence } from "../l10n";
import { createMemory } from "../openMemory";
import type { Action } from "../protocol";
import { openBesidePreview } from "./sourceActions";

/** Shows the prompt of another runtime. */
export interface RuntimePreview {
  show(place: { uri?: string }): void;
  pickRuntime(id: string): void;
}

export async function applyAction(action: Action, file: string, previews: RuntimePreview): Promise<void> {
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
    void vscode.window.showInformationMessage(asSentence(action.message));
  }
}
