/** Showing secrets in the panel: only after a question. */
import * as vscode from "vscode";
import { t } from "../l10n";

export async function mayReveal(): Promise<boolean> {
  const show = t("Show Secrets");
  const choice = await vscode.window.showWarningMessage(
    t("Show the prompt with its secrets?"),
    { modal: true, detail: t("Whoever sees this screen can read them. They are masked again when the panel is hidden.") },
    show,
  );
  return choice === show;
}
