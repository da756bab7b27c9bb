/**
 * Offering `agent-memory mcp` to the editor's own agents, where the editor knows the Model Context
 * Protocol (VS Code 1.101 and later) and the interpreter's environment has the package `mcp`.
 */
import { execFile } from "node:child_process";
import * as os from "node:os";
import * as vscode from "vscode";
import type { Launch } from "./server/launch";
import { launch } from "./server/launch";
import type { LanguageServer } from "./server/server";

/** What is used of the newer API: the types this package is built with do not have it yet. */
interface NewerApi {
  lm?: {
    registerMcpServerDefinitionProvider?(
      id: string,
      provider: { provideMcpServerDefinitions(): Promise<object[]> },
    ): vscode.Disposable;
  };
  McpStdioServerDefinition?: new (
    label: string,
    command: string,
    args: string[],
    env?: Record<string, string>,
    version?: string,
  ) => object;
}

const ID = "agentMemory.mcp";

/** How long the server may take to say that it can speak the protocol, in milliseconds. */
const PROBE_MS = 10_000;

export function offerMcpServer(
  context: vscode.ExtensionContext,
  server: LanguageServer,
): vscode.Disposable[] {
  const { lm, McpStdioServerDefinition: Definition } = vscode as unknown as NewerApi;
  if (!lm?.registerMcpServerDefinitionProvider || !Definition) {
    return [];
  }
  const provider = {
    async provideMcpServerDefinitions(): Promise<object[]> {
      if (!vscode.workspace.isTrusted || !(await server.ensure(false)) || !server.interpreter) {
        return [];
      }
      const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? os.homedir();
      // The package mcp is not bundled, so the environment is looked at whatever serves the editor.
      const run = launch(server.interpreter.command, context.extensionPath, "fromEnvironment", [
        "mcp",
        "--cwd",
        folder,
      ]);
      const { version } = context.extension.packageJSON as { version: string };
      return (await runs(run))
        ? [new Definition("Agent Memory", run.command, run.args, {}, version)]
        : [];
    },
  };
  return [lm.registerMcpServerDefinitionProvider(ID, provider)];
}

/** Whether the server starts: it ends by itself, without an error, when its input ends. */
function runs({ command, args }: Launch): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { cwd: os.homedir(), timeout: PROBE_MS, windowsHide: true };
    const child = execFile(command, args, options, (error) => {
      resolve(error === null);
    });
    child.stdin?.end();
  });
}
