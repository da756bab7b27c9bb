/** What can be done with a learned entry: promote it into memory, forget it, restore it. */
import * as vscode from "vscode";
import { asSentence, t } from "../l10n";
import type { Entry, RememberPlan, Scope } from "../protocol";
import { forgetCommand, promoteCommand, restoreCommand } from "../protocol";
import { currentContext } from "../requestContext";
import type { LanguageServer } from "../server/server";
import { openBesidePreview } from "./sourceActions";

/** How long to wait for the server's edit, in milliseconds. */
const EDIT_MS = 10_000;

/** Add the entry's text to memory and save the file; the server moves the entry to the trash. */
export async function promote(server: LanguageServer, entry: Entry, to: Scope): Promise<void> {
  const edits = new Edits();
  try {
    const plan = await server.run(promoteCommand, { ...currentContext(), id: entry.id, to });
    if (plan?.outcome === "ready" && plan.target) {
      await saveAfterEdit(edits, plan.target.uri);
      await report(plan);
    }
  } finally {
    edits.dispose();
  }
}

/** Move the entry to the trash. */
export async function forget(server: LanguageServer, { id }: Entry): Promise<void> {
  await server.run(forgetCommand, { ...currentContext(), id });
}

/** Take the entry out of the trash. */
export async function restore(server: LanguageServer, { id }: Entry): Promise<void> {
  await server.run(restoreCommand, { ...currentContext(), id });
}

/** Collects the documents that were edited; the server's edit may arrive before its answer. */
class Edits {
  private readonly edited = new Map<string, vscode.TextDocument>();
  private waiting: { uri: string; done: (document: vscode.TextDocument) => void } | undefined;
  private readonly listener = vscode.workspace.onDidChangeTextDocument(({ document }) => {
    const uri = document.uri.toString();
    this.edited.set(uri, document);
    if (this.waiting?.uri === uri) {
      this.waiting.done(document);
    }
  });

  /** The document once it was edited; undefined if that does not happen in time. */
  async of(uri: string): Promise<vscode.TextDocument | undefined> {
    const known = this.edited.get(uri);
    const timeout = new Promise<undefined>((resolve) => setTimeout(resolve, EDIT_MS, undefined));
    const edit = new Promise<vscode.TextDocument>((done) => {
      this.waiting = { uri, done };
    });
    return known ?? Promise.race([edit, timeout]);
  }

  dispose(): void {
    this.listener.dispose();
  }
}

async function saveAfterEdit(edits: Edits, target: string): Promise<void> {
  const document = await edits.of(vscode.Uri.parse(target).toString());
  await document?.save();
}

async function report({ message, target }: RememberPlan): Promise<void> {
  const open = t("Open");
  const choice = await vscode.window.showInformationMessage(asSentence(message), open);
  if (choice === open && target) {
    const line = new vscode.Position(Math.max(0, target.line), 0);
    await openBesidePreview(vscode.Uri.parse(target.uri), { selection: new vscode.Range(line, line) });
  }
}
