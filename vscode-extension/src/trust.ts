/** Workspace trust: an untrusted folder is only looked at; trusting it gives the rest. */
import * as vscode from "vscode";
import type { LanguageServer } from "./server/server";

/** The server learns at its start whether the workspace is trusted, so trust starts it anew. */
export function restartWhenTrusted(server: LanguageServer): vscode.Disposable {
  return vscode.workspace.onDidGrantWorkspaceTrust(async () => {
    if (server.state !== "off") {
      await server.restart();
    }
  });
}
