/** Copying the prompt: masked, or with secrets after the user confirms. */
import * as vscode from "vscode";
import { t } from "../l10n";
import type { RequestContext } from "../protocol";
import { promptRequest } from "../protocol";
import type { LanguageServer } from "../server/server";

/** Copy the prompt; returns whether it was copied as it is, without a message about its secrets. */
export async function copyPrompt(server: LanguageServer, context: RequestContext): Promise<boolean> {
  const prompt = await server.request(promptRequest, context);
  if (!prompt) {
    return false;
  }
  await vscode.env.clipboard.writeText(prompt.text);
  if (!prompt.masked) {
    return true;
  }
  const unmasked = t("Copy Unmasked…");
  const choice = await vscode.window.showInformationMessage(t("Prompt copied with secrets masked."), unmasked);
  if (choice === unmasked) {
    await copyUnmasked(server, context);
  }
  return false;
}

async function copyUnmasked(server: LanguageServer, context: RequestContext): Promise<void> {
  const copy = t("Copy with Secrets");
  const choice = await vscode.window.showWarningMessage(
    t("Copy the prompt with its secrets?"),
    { modal: true, detail: t("Any program with access to the clipboard can read them.") },
    copy,
  );
  const prompt = choice === copy ? await server.request(promptRequest, { ...context, reveal: true }) : undefined;
  if (prompt) {
    await vscode.env.clipboard.writeText(prompt.text);
  }
}
