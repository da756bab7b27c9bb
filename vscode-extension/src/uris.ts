/** Addresses of files. */
import * as vscode from "vscode";

/** Whether `text` is the address `uri`: Windows' drives are written in two ways. */
export function isUri(text: string, uri: vscode.Uri): boolean {
  const wanted = uri.toString();
  return text === wanted || vscode.Uri.parse(text).toString() === wanted;
}
