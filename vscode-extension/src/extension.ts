/** Wiring: everything is made here and lives until the extension is switched off. */
import * as vscode from "vscode";
import type { AgentMemoryApi } from "./api";
import { makeApi } from "./api";
import { registerCommands } from "./commands";
import { needsRestart } from "./configuration";
import { warnOnSave } from "./headroomWarning";
import { reasonOf } from "./failures";
import { useBundle } from "./l10n";
import { offerMcpServer } from "./mcp";
import { MEMORY_AT_TOP, MEMORY_IN_WORKSPACE, SELECTOR } from "./memoryFiles";
import { followEditors } from "./place";
import { PreviewPanels } from "./preview/panels";
import { LanguageServer } from "./server/server";
import { Status } from "./status";
import { restartWhenTrusted } from "./trust";
import { LearnedView } from "./views/learned";
import { SourcesView } from "./views/sources";

let server: LanguageServer | undefined;

export function activate(context: vscode.ExtensionContext): AgentMemoryApi {
  useBundle(vscode.l10n.bundle);
  server = new LanguageServer(context);
  const previews = new PreviewPanels(context, server);
  const sources = new SourcesView(context, server);
  context.subscriptions.push(
    followEditors(),
    new Status(server),
    previews,
    sources,
    new LearnedView(server),
    ...registerCommands({ context, server, previews, sources }),
    ...offerMcpServer(context, server),
    showState(server),
    warnOnSave(server),
    ...startWhenNeeded(server),
    restartWhenTrusted(server),
  );
  return makeApi(server);
}

export async function deactivate(): Promise<void> {
  await server?.dispose();
}

/** Let `when` clauses, such as those of the welcome views, know how the server is. */
function showState(server: LanguageServer): vscode.Disposable {
  const show = (state: string) =>
    void vscode.commands.executeCommand("setContext", "agentMemory.state", state);
  show(server.state);
  return server.onDidChangeState(show);
}

/** Start the server once there is memory to look at, and again when a setting asks for it. */
function startWhenNeeded(server: LanguageServer): vscode.Disposable[] {
  const start = () => void server.ensure(false);
  const look = async () => {
    if (vscode.workspace.textDocuments.some(isMemory) || (await folderHasMemory())) {
      start();
    }
  };
  look().catch((error: unknown) => {
    server.log.error(`looking for memory files: ${reasonOf(error)}`);
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

/** What stands at the top is seen at once; the search may find nothing while it starts up itself. */
async function folderHasMemory(): Promise<boolean> {
  const tops = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) =>
    Promise.resolve(vscode.workspace.fs.readDirectory(uri)).catch(() => []),
  );
  if ((await Promise.all(tops)).flat().some(([name]) => MEMORY_AT_TOP.has(name))) {
    return true;
  }
  const found = await vscode.workspace.findFiles(MEMORY_IN_WORKSPACE, "**/node_modules/**", 1);
  return found.length > 0;
}
