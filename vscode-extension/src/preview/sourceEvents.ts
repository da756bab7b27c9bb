/** Follows the files of the shown prompt in the editor: their unsaved text and their findings. */
import * as vscode from "vscode";
import { isSameUri } from "../sameUri";
import type { ShownPrompt } from "./incrementalPrompt";

/**
 * Listen until the returned listeners are disposed. `prompt` returns the shown prompt, `onEdit` is
 * called after an edit of one of its files, `onFindings` after their diagnostics have changed.
 */
export function sourceEvents(
  prompt: () => ShownPrompt | undefined,
  onEdit: () => void,
  onFindings: () => void,
): vscode.Disposable[] {
  const isSource = (uri: vscode.Uri) => prompt()?.sources.some((source) => isSameUri(source.uri, uri)) ?? false;
  return [
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0 && isSource(document.uri)) {
        onEdit();
      }
    }),
    vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      if (uris.some(isSource)) {
        onFindings();
      }
    }),
  ];
}
