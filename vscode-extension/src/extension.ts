/** Wiring: everything is made here and lives until the extension is switched off. */
import * as vscode from "vscode";
import { registerCommands } from "./commands";
import { needsRestart } from "./configuration";
import { useBundle } from "./l10n";
import { MEMORY_IN_WORKSPACE, SELECTOR } from "./memoryFiles";
import { PreviewPanels } from "./preview/panel";
import { LanguageServer } from "./server/server";
import { Status } from "./status";
import { restartWhenTrusted } from "./trust";

let server: LanguageServer | undefined;

export function activate(context: vscode.ExtensionContext): void {
  useBundle(vscode.l10n.bundle);
  server = new LanguageServer(context);
  const previews = new PreviewPanels(context, server);
  context.subscriptions.push(
    new Status(server),
    previews,
    ...registerCommands({ context, server, previews }),
    ...startWhenNeeded(server),
    restartWhenTrusted(server),
  );
}

export async function deactivate(): Promise<void> {
  await server?.dispose();
}

/** Start the server once there is memory to look at, and again when a setting asks for it. */
function startWhenNeeded(server: LanguageServer): vscode.Disposable[] {
  const start = () => void server.ensure(false);
  void folderHasMemory().then((found) => {
    if (found || vscode.workspace.textDocuments.some(isMemory)) {
      start();
    }
  });
  return [
    vscode.workspace.onDidOpenTextDocument((document) => {
      if (isMemory(document)) {
        start();
      }
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (needsRestart(event) && server.state !== "off") {
        void server.restart();
      }
    }),
  ];
}

function isMemory(document: vscode.TextDocument): boolean {
  return vscode.languages.match(SELECTOR, document) > 0;
}

async function folderHasMemory(): Promise<boolean> {
  const found = await vscode.workspace.findFiles(MEMORY_IN_WORKSPACE, "**/node_modules/**", 1);
  return found.length > 0;
}
