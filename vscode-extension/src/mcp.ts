/**
 * Offering `agent-memory mcp` to the editor's own agents, where the editor knows the Model Context
 * Protocol (VS Code 1.101 and later) and the server can be run.
 */
import { execFile } from "node:child_process";
import * as os from "node:os";
import * as vscode from "vscode";
import { importStrategy } from "./configuration";
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
      const { command } = server.interpreter;
      const path = context.extensionPath;
      if (!(await runs(launch(command, path, importStrategy(), ["mcp", "--help"])))) {
        return [];
      }
      const { args } = launch(command, path, importStrategy(), ["mcp"]);
      const { version } = context.extension.packageJSON as { version: string };
      return [new Definition("Agent Memory", command, args, {}, version)];
    },
  };
  return [lm.registerMcpServerDefinitionProvider(ID, provider)];
}

function runs({ command, args }: Launch): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(command, args, { cwd: os.homedir(), timeout: PROBE_MS, windowsHide: true }, (error) => {
      resolve(error === null);
    });
  });
}
