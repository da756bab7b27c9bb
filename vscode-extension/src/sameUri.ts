/** Compares URIs. */
import * as vscode from "vscode";

/** Whether `text` is the URI `uri`. Windows drive letters have two spellings. */
export function isSameUri(text: string, uri: vscode.Uri): boolean {
  const wanted = uri.toString();
  return text === wanted || vscode.Uri.parse(text).toString() === wanted;
}
