/** Showing errors: no command the user runs fails silently. */
import * as vscode from "vscode";
import { asSentence, t } from "./l10n";

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Show an error with a button that opens the log, where it is recorded under `label`. */
export function showError(log: vscode.LogOutputChannel, label: string, error: unknown): void {
  const message = errorMessage(error);
  log.error(`${label}: ${message}`);
  const logs = t("Show Logs");
  void vscode.window.showErrorMessage(t("Agent Memory: {0}", asSentence(message)), logs).then((choice) => {
    if (choice === logs) {
      log.show();
    }
  });
}
