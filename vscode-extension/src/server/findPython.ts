/** The interpreter for the server, by the settings; reports an error with the way to the setting. */
import * as vscode from "vscode";
import { interpreterSetting } from "../configuration";
import type { Interpreter } from "../interpreter";
import { findInterpreter, NoInterpreterError } from "../interpreter";
import { asSentence, t } from "../l10n";
import type { PythonExtension } from "../pythonExtension";

/** The first usable interpreter. Throws {@link NoInterpreterError} if no interpreter is usable. */
export function findPython(python: PythonExtension): Promise<Interpreter> {
  return findInterpreter({
    setting: interpreterSetting(),
    // The workspace's own settings may decide its answer.
    pythonExtension: async () =>
      vscode.workspace.isTrusted
        ? python.interpreter(vscode.workspace.workspaceFolders?.[0]?.uri)
        : undefined,
    platform: process.platform,
  });
}

/** Show the error with a button that opens the interpreter setting. */
export async function showInterpreterError(error: NoInterpreterError): Promise<void> {
  const open = t("Choose Python…");
  if ((await vscode.window.showErrorMessage(asSentence(interpreterErrorText(error)), open)) === open) {
    await vscode.commands.executeCommand("agentMemory.choosePython");
  }
}

function interpreterErrorText({ tried }: NoInterpreterError): string {
  const configured = tried.find(({ candidate }) => candidate.origin === "setting");
  if (!configured) {
    return t("Agent Memory needs Python 3.11+, but none was found on this machine.");
  }
  const { candidate, reason, isMissing } = configured;
  return isMissing
    ? t("Agent Memory needs Python 3.11+. The configured interpreter wasn't found: {0}", candidate.command)
    : t("Agent Memory needs Python 3.11+. The configured interpreter cannot be used: {0} ({1})", candidate.command, reason);
}
