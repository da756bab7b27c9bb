/** Telling what failed: nothing that a person asked for fails without a word. */
import * as vscode from "vscode";
import { t } from "./l10n";

/** What an error says, for a person. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Say what failed, with a way to the log, which has it under `what`. */
export function tell(log: vscode.LogOutputChannel, what: string, error: unknown): void {
  const reason = reasonOf(error);
  log.error(`${what}: ${reason}`);
  const logs = t("Show Logs");
  void vscode.window.showErrorMessage(t("Agent Memory: {0}", reason), logs).then((choice) => {
    if (choice === logs) {
      log.show();
    }
  });
}
