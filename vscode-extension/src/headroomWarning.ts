/** Telling, when a memory file is saved, that the prompt is full. */
import * as os from "node:os";
import * as vscode from "vscode";
import { SECTION } from "./configuration";
import { reasonOf } from "./failures";
import { headroom } from "./headroom";
import { t } from "./l10n";
import { SELECTOR } from "./memoryFiles";
import { shortener } from "./preview/paths";
import { whose } from "./preview/saved";
import { promptRequest } from "./protocol";
import type { LanguageServer } from "./server/server";
import { isUri } from "./uris";

/** Warn at a save that brings the prompt nearer to or over its limits. */
export function warnOnSave(server: LanguageServer): vscode.Disposable {
  const told = new Map<string, number>();
  return vscode.workspace.onDidSaveTextDocument(async (document) => {
    const wanted = vscode.workspace.getConfiguration(SECTION).get<boolean>("status.warnOnSave", true);
    const watched = vscode.languages.match(SELECTOR, document) > 0;
    if (!wanted || !watched || server.state !== "running") {
      return;
    }
    try {
      await look(server, document, told);
    } catch (error) {
      server.log.error(`on save: ${reasonOf(error)}`);
    }
  });
}

async function look(
  server: LanguageServer,
  document: vscode.TextDocument,
  told: Map<string, number>,
): Promise<void> {
  const prompt = await server.request(promptRequest, { uri: document.uri.toString(), saved: true });
  if (!prompt) {
    return;
  }
  const folders = vscode.workspace.workspaceFolders?.map((item) => item.uri.fsPath) ?? [];
  const { level, message } = headroom(
    prompt,
    (uri) => (isUri(uri, document.uri) ? document.getText().split(/\r\n|\n|\r/) : []),
    shortener(folders, os.homedir()),
    vscode.env.language,
  );
  const place = whose(prompt);
  const before = told.get(place) ?? 0;
  told.set(place, level);
  if (level > before) {
    const preview = t("Preview Prompt");
    const choice = await vscode.window.showWarningMessage(message, preview);
    if (choice === preview) {
      await vscode.commands.executeCommand("agentMemory.previewPrompt", { uri: document.uri.toString() });
    }
  }
}
