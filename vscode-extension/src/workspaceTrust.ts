/** Workspace trust: nothing is written in an untrusted folder. */
import * as vscode from "vscode";
import type { LanguageServer } from "./server/server";

/** Restart the server when the workspace becomes trusted: it receives the trust at its start. */
export function restartWhenTrusted(server: LanguageServer): vscode.Disposable {
  return vscode.workspace.onDidGrantWorkspaceTrust(async () => {
    if (server.state !== "off") {
      await server.restart();
    }
  });
}
