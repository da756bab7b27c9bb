/** "Verify with the Agent": starts the installed agent once and compares what it sends. */
import * as vscode from "vscode";
import { asSentence, t } from "../l10n";
import type { RequestContext, Verified } from "../protocol";
import { verifyRequest } from "../protocol";
import type { LanguageServer } from "../server/server";
import { showDifference } from "./compare";
import type { ShownPrompt } from "./incrementalPrompt";
import type { PromptDocuments } from "./promptDocuments";

/** Start the agent of `prompt` after the user confirms, and show the result. */
export async function verifyPrompt(
  server: LanguageServer,
  documents: PromptDocuments,
  prompt: ShownPrompt,
  context: RequestContext,
): Promise<void> {
  const name = `${prompt.title} ${prompt.version}`;
  if (!(await confirm(name))) {
    return;
  }
  const result = await verified(server, name, { ...context, runtime: prompt.runtime });
  if (result) {
    await show(documents, result, name);
  }
}

async function confirm(name: string): Promise<boolean> {
  const start = t("Start and Compare");
  const choice = await vscode.window.showInformationMessage(
    t("Start {0} once to compare what it sends with the preview?", name),
    {
      modal: true,
      detail: t(
        "It runs in a temporary copy of the memory files, against a mock model on this computer. It gets no account, and no hook or server of the project is run. Saved files are compared.",
      ),
    },
    start,
  );
  return choice === start;
}

/** The result; undefined if the user cancels. Rejects with the server's message. */
function verified(server: LanguageServer, name: string, context: RequestContext): Thenable<Verified | undefined> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: t("Comparing the preview with {0}…", name),
    cancellable: true,
  };
  return vscode.window.withProgress(options, async (_progress, token) => {
    try {
      return await server.request(verifyRequest, context, token);
    } catch (error) {
      if (token.isCancellationRequested) {
        return undefined;
      }
      throw error;
    }
  });
}

async function show(documents: PromptDocuments, result: Verified, name: string): Promise<void> {
  const remarks = result.remarks.length > 0 ? ` (${result.remarks.join("; ")})` : "";
  const text = `${result.outcome}${remarks}`;
  if (result.equal) {
    await vscode.window.showInformationMessage(asSentence(text));
    return;
  }
  const difference = t("Show Difference");
  if ((await vscode.window.showWarningMessage(asSentence(text), difference)) === difference) {
    const [preview, sent] = result.texts;
    await showDifference(documents, [t("Prompt Preview"), preview], [name, sent]);
  }
}
