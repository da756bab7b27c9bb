/** Creates and connects all parts of the extension. */
import * as vscode from "vscode";
import type { AgentMemoryApi } from "./api";
import { createApi } from "./api";
import { registerCommands } from "./commands";
import { needsRestart } from "./configuration";
import { warnOnSave } from "./headroomWarning";
import { errorMessage } from "./errors";
import { useBundle } from "./l10n";
import { offerMcpServer } from "./mcp";
import { MEMORY_PATHS, SELECTOR } from "./filePatterns";
import { trackActiveEditor } from "./requestContext";
import { PreviewPanels } from "./preview/panels";
import { LanguageServer } from "./server/server";
import { completeSettingsFile } from "./settingsFile/completion";
import { Status } from "./status";
import { restartWhenTrusted } from "./workspaceTrust";
import { registerTools } from "./tools/tools";
import { LearnedView } from "./views/learned";
import { SourcesView } from "./views/sources";

let server: LanguageServer | undefined;

export function activate(context: vscode.ExtensionContext): AgentMemoryApi {
  useBundle(vscode.l10n.bundle);
  server = new LanguageServer(context);
  const previews = new PreviewPanels(context, server);
  const sources = new SourcesView(context, server);
  const learned = new LearnedView(server);
  context.subscriptions.push(
    trackActiveEditor(),
    new Status(server),
    previews,
    sources,
    learned,
    ...registerCommands({ context, server, previews, sources, learned }),
    ...offerMcpServer(context, server),
    ...registerTools(server),
    completeSettingsFile(context.extensionUri),
    publishState(server),
    warnOnSave(server),
    ...startWhenNeeded(server),
    restartWhenTrusted(server),
  );
  return createApi(server);
}

export async function deactivate(): Promise<void> {
  await server?.dispose();
}

/** Publish the server state for `when` clauses, such as those of the welcome views. */
function publishState(server: LanguageServer): vscode.Disposable {
  const show = (state: string) =>
    void vscode.commands.executeCommand("setContext", "agentMemory.state", state);
  show(server.state);
  return server.onDidChangeState(show);
}

/** Start the server once there is memory, and restart it when a setting requires that. */
function startWhenNeeded(server: LanguageServer): vscode.Disposable[] {
  const start = () => void server.ensure(false);
  const startIfMemoryExists = async () => {
    if (vscode.workspace.textDocuments.some(isMemory) || (await folderHasMemory())) {
      start();
    }
  };
  startIfMemoryExists().catch((error: unknown) => {
    server.log.error(`looking for memory files: ${errorMessage(error)}`);
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

/** Only known paths: a file search takes long in a large repository. */
async function folderHasMemory(): Promise<boolean> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const places = folders.flatMap(({ uri }) => [...MEMORY_PATHS].map((name) => vscode.Uri.joinPath(uri, name)));
  return (await Promise.all(places.map(exists))).includes(true);
}

function exists(uri: vscode.Uri): Thenable<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}
