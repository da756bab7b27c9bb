/** Asks before the panel shows secrets. */
import * as vscode from "vscode";
import { t } from "../l10n";

/** Whether the user confirms that secrets may be shown. */
export async function confirmReveal(): Promise<boolean> {
  const show = t("Show Secrets");
  const choice = await vscode.window.showWarningMessage(
    t("Show the prompt with its secrets?"),
    {
      modal: true,
      detail: t("Anyone who can see your screen can read them. They are masked again when the panel is hidden."),
    },
    show,
  );
  return choice === show;
}
