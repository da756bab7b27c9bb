/** The extension's own settings; the server reads its settings itself. */
import * as vscode from "vscode";
import type { ImportStrategy } from "./server/launch";

export const SECTION = "agentMemory";

/** Settings that require a restart of the server; all others take effect at once. */
export const RESTART_SETTINGS: readonly string[] = [
  `${SECTION}.interpreter`,
  `${SECTION}.importStrategy`,
];

/** Settings that the server's command line does not know. */
export const OWN_SETTINGS: readonly string[] = [
  "codeLens",
  "inlayHints",
  "interpreter",
  "importStrategy",
  "trace.server",
  "status.warnOnSave",
  "remember.confirm",
];

/** Whether "Remember This" shows an item before it is saved. */
export function confirmsItems(): boolean {
  return vscode.workspace.getConfiguration(SECTION).get<boolean>("remember.confirm", true);
}

export function interpreterSetting(): string {
  return vscode.workspace.getConfiguration(SECTION).get("interpreter", "");
}

/** Open a setting of the machine; the user's page does not list it in a remote window. */
export async function openMachineSetting(name: string): Promise<void> {
  const page = vscode.env.remoteName ? "openRemoteSettings" : "openSettings";
  await vscode.commands.executeCommand(`workbench.action.${page}`, { query: `@id:${SECTION}.${name}` });
}

export function importStrategy(): ImportStrategy {
  const value = vscode.workspace.getConfiguration(SECTION).get<string>("importStrategy");
  return value === "fromEnvironment" ? value : "useBundled";
}

export function needsRestart(event: vscode.ConfigurationChangeEvent): boolean {
  return RESTART_SETTINGS.some((name) => event.affectsConfiguration(name));
}

/**
 * Where the pickers store a setting: in the workspace if there is one, because runtime and agent
 * belong to a project, otherwise in the user's settings.
 */
export function pickerTarget(): vscode.ConfigurationTarget {
  return vscode.workspace.workspaceFolders?.length
    ? vscode.ConfigurationTarget.Workspace
    : vscode.ConfigurationTarget.Global;
}
