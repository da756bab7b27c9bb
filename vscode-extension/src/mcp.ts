/**
 * Offers `agent-memory mcp` to the editor's agents if the editor supports the Model Context Protocol
 * (VS Code 1.101 and later) and the interpreter's environment has the package `mcp`.
 */
import { execFile } from "node:child_process";
import * as os from "node:os";
import * as vscode from "vscode";
import { OWN_SETTINGS, SECTION } from "./configuration";
import type { Launch } from "./server/launch";
import { launch } from "./server/launch";
import type { LanguageServer } from "./server/server";

/** The used part of the newer API, which is missing in the types of this build. */
interface NewerApi {
  lm?: {
    registerMcpServerDefinitionProvider?(
      id: string,
      provider: {
        onDidChangeMcpServerDefinitions: vscode.Event<void>;
        provideMcpServerDefinitions(): Promise<object[]>;
      },
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

interface Manifest {
  version: string;
  contributes: { configuration: { properties: Record<string, unknown> }[] };
}

const ID = "agentMemory.mcp";

/** Settings that a project cannot make. */
const USER_ONLY = new Set(["writeFolders"]);

/** Timeout for the check that the MCP server starts, in milliseconds. */
const PROBE_MS = 60_000;

export function offerMcpServer(
  context: vscode.ExtensionContext,
  server: LanguageServer,
): vscode.Disposable[] {
  const { lm, McpStdioServerDefinition: Definition } = vscode as unknown as NewerApi;
  if (!lm?.registerMcpServerDefinitionProvider || !Definition) {
    return [];
  }
  const manifest = context.extension.packageJSON as Manifest;
  const changes = new vscode.EventEmitter<void>();
  let lastReason: string | undefined;
  const provider = {
    onDidChangeMcpServerDefinitions: changes.event,
    async provideMcpServerDefinitions(): Promise<object[]> {
      // The editor asks in every window: a folder without memory needs no server. The event follows its start.
      if (!vscode.workspace.isTrusted || server.state !== "running" || !server.interpreter) {
        return [];
      }
      const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? os.homedir();
      // The package mcp is not bundled, so it is always imported from the environment.
      const run = launch(server.interpreter.command, context.extensionPath, "fromEnvironment", [
        "mcp",
        "--cwd",
        folder,
        "--settings",
        JSON.stringify(settings(manifest)),
      ]);
      const reason = await startFailure(run);
      if (reason && reason !== lastReason) {
        server.log.info(`no MCP server is offered to agents: ${reason}`);
      }
      lastReason = reason; // the editor calls this often; the reason is logged once
      return reason ? [] : [new Definition("Agent Memory", run.command, run.args, {}, manifest.version)];
    },
  };
  return [
    vscode.Disposable.from(changes),
    lm.registerMcpServerDefinitionProvider(ID, provider),
    server.onDidChangeState((state) => {
      if (state === "running") {
        changes.fire();
      }
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(SECTION)) {
        changes.fire();
      }
    }),
  ];
}

/** The settings of the user and the project, by the server's names. */
function settings({ contributes }: Manifest): Record<string, unknown> {
  const configuration = vscode.workspace.getConfiguration(SECTION, vscode.workspace.workspaceFolders?.[0]);
  const names = contributes.configuration
    .flatMap(({ properties }) => Object.keys(properties))
    .map((name) => name.slice(SECTION.length + 1))
    .filter((name) => !OWN_SETTINGS.includes(name));
  const values = names.map((name) => {
    const set = configuration.inspect(name);
    const own = set?.globalValue;
    const inProject = set?.workspaceFolderValue ?? set?.workspaceValue;
    return [name, USER_ONLY.has(name) ? own : (inProject ?? own)] as const;
  });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** Why the server does not start; undefined if it starts and ends with its input. */
function startFailure({ command, args }: Launch): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { cwd: os.homedir(), timeout: PROBE_MS, windowsHide: true };
    const child = execFile(command, args, options, (error, _, stderr) => {
      const lines = stderr.split("\n").filter((line) => line.trim());
      const reason = error?.killed ? `no answer within ${PROBE_MS / 1000} seconds` : error?.message;
      resolve(error ? [reason, ...lines].at(-1) : undefined);
    });
    child.stdin?.end();
  });
}
