/** Copying the prompt: masked, or whole after the user confirmed it. */
import * as vscode from "vscode";
import { t } from "../l10n";
import type { Place } from "../protocol";
import { promptRequest } from "../protocol";
import type { LanguageServer } from "../server/server";

export async function copyPrompt(server: LanguageServer, place: Place): Promise<void> {
  const prompt = await server.request(promptRequest, place);
  if (!prompt) {
    return;
  }
  await vscode.env.clipboard.writeText(prompt.text);
  if (!prompt.masked) {
    void vscode.window.showInformationMessage(t("The prompt is on the clipboard."));
    return;
  }
  const whole = t("Copy Whole…");
  const choice = await vscode.window.showInformationMessage(
    t("The prompt is on the clipboard, its secrets masked."),
    whole,
  );
  if (choice === whole) {
    await copyWhole(server, place);
  }
}

async function copyWhole(server: LanguageServer, place: Place): Promise<void> {
  const copy = t("Copy with Secrets");
  const choice = await vscode.window.showWarningMessage(
    t("Copy the prompt with its secrets?"),
    { modal: true, detail: t("Every program that may read the clipboard can read them.") },
    copy,
  );
  const prompt = choice === copy ? await server.request(promptRequest, { ...place, reveal: true }) : undefined;
  if (prompt) {
    await vscode.env.clipboard.writeText(prompt.text);
  }
}
