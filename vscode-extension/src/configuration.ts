/** Reading the extension's own settings; those of the server are read by the server. */
import * as vscode from "vscode";
import type { ImportStrategy } from "./server/launch";

export const SECTION = "agentMemory";

/** A change of one of these needs another server process; all others are taken while it runs. */
export const RESTART_SETTINGS: readonly string[] = [
  `${SECTION}.interpreter`,
  `${SECTION}.importStrategy`,
];

/** The settings that mean nothing to the server's command line. */
export const OWN_SETTINGS: readonly string[] = [
  "codeLens",
  "inlayHints",
  "interpreter",
  "importStrategy",
  "trace.server",
  "status.warnOnSave",
];

export function interpreterSetting(): string {
  return vscode.workspace.getConfiguration(SECTION).get("interpreter", "");
}

/** Show the setting that names the Python. */
export async function choosePython(): Promise<void> {
  // It belongs to a machine: in a remote window the user's own page does not list it.
  const page = vscode.env.remoteName ? "openRemoteSettings" : "openSettings";
  await vscode.commands.executeCommand(`workbench.action.${page}`, {
    query: `@id:${SECTION}.interpreter`,
  });
}

export function importStrategy(): ImportStrategy {
  const value = vscode.workspace.getConfiguration(SECTION).get<string>("importStrategy");
  return value === "fromEnvironment" ? value : "useBundled";
}

export function needsRestart(event: vscode.ConfigurationChangeEvent): boolean {
  return RESTART_SETTINGS.some((name) => event.affectsConfiguration(name));
}

/**
 * Where a setting chosen in a picker is kept: the workspace where there is one, since runtime
 * and agent belong to a project, else the user's settings.
 */
export function pickerTarget(): vscode.ConfigurationTarget {
  return vscode.workspace.workspaceFolders?.length
    ? vscode.ConfigurationTarget.Workspace
    : vscode.ConfigurationTarget.Global;
}
