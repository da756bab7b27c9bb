/** Warns when saving a memory file fills the prompt. */
import * as os from "node:os";
import * as vscode from "vscode";
import { SECTION } from "./configuration";
import { errorMessage } from "./errors";
import { SELECTOR } from "./filePatterns";
import { headroom } from "./headroom";
import { asSentence, t } from "./l10n";
import { shortener } from "./preview/paths";
import { promptKey } from "./preview/savedPrompts";
import { promptRequest } from "./protocol";
import { isSameUri } from "./sameUri";
import type { LanguageServer } from "./server/server";

/** Warn when a save brings the prompt closer to its limits than before. */
export function warnOnSave(server: LanguageServer): vscode.Disposable {
  const levels = new Map<string, number>();
  return vscode.workspace.onDidSaveTextDocument(async (document) => {
    const enabled = vscode.workspace.getConfiguration(SECTION, document).get<boolean>("status.warnOnSave", true);
    const isMemory = vscode.languages.match(SELECTOR, document) > 0;
    if (!enabled || !isMemory || server.state !== "running") {
      return;
    }
    try {
      await check(server, document, levels);
    } catch (error) {
      server.log.error(`on save: ${errorMessage(error)}`);
    }
  });
}

/** `levels` stores the last level of each prompt, so that a warning is shown once. */
async function check(
  server: LanguageServer,
  document: vscode.TextDocument,
  levels: Map<string, number>,
): Promise<void> {
  const prompt = await server.request(promptRequest, { uri: document.uri.toString(), saved: true });
  if (!prompt) {
    return;
  }
  const folders = vscode.workspace.workspaceFolders?.map((item) => item.uri.fsPath) ?? [];
  const { level, message } = headroom(
    prompt,
    (uri) => (isSameUri(uri, document.uri) ? document.getText().split(/\r\n|\n|\r/) : []),
    shortener(folders, os.homedir()),
    vscode.env.language,
  );
  const key = promptKey(prompt);
  const before = levels.get(key) ?? 0;
  levels.set(key, level);
  if (level > before) {
    const preview = t("Preview Prompt");
    const choice = await vscode.window.showWarningMessage(asSentence(message), preview);
    if (choice === preview) {
      await vscode.commands.executeCommand("agentMemory.previewPrompt", { uri: document.uri.toString() });
    }
  }
}
