/** The text to remember: a selection of an editor or of the terminal, or typed text. */
import * as vscode from "vscode";
import { t } from "../l10n";
import type { RememberParams } from "../protocol";
import { currentContext } from "../requestContext";
import { terminalText } from "./terminalText";

export type Snippet = Pick<RememberParams, "text" | "origin" | "uri">;

/** The selected text of the active editor, else typed text; undefined if the user cancels. */
export async function selectedOrTyped(title: string): Promise<Snippet | undefined> {
  return selection() ?? typed(title);
}

function selection(): Snippet | undefined {
  const editor = vscode.window.activeTextEditor;
  const ranges = editor?.selections.filter((item) => !item.isEmpty) ?? [];
  const [first] = ranges;
  if (!editor || !first) {
    return undefined;
  }
  const { document } = editor;
  return {
    text: ranges.map((item) => document.getText(item)).join("\n"),
    ...contextOf(document.uri),
    origin: {
      uri: document.uri.toString(),
      range: {
        start: { line: first.start.line, character: first.start.character },
        end: { line: first.end.line, character: first.end.character },
      },
      languageId: document.languageId,
    },
  };
}

/** The file that selects the project: the earlier version in a diff has the path of its file. */
function contextOf(uri: vscode.Uri): { uri?: string } {
  const file = uri.scheme === "file" ? uri : vscode.Uri.file(uri.path);
  return uri.scheme === "file" || vscode.workspace.getWorkspaceFolder(file)
    ? { uri: file.toString() }
    : currentContext();
}

async function typed(title: string): Promise<Snippet | undefined> {
  const text = await vscode.window.showInputBox({ title, prompt: t("Text to remember") });
  return text?.trim() ? { text: text.trim(), ...currentContext() } : undefined;
}

/** The selected text of the terminal; undefined without a selection. */
export async function terminalSelection(): Promise<Snippet | undefined> {
  const text = await copiedSelection();
  return text === undefined ? undefined : { text: terminalText(text), ...currentContext() };
}

/** The editor offers a terminal's selection only through the clipboard, which is restored. */
async function copiedSelection(): Promise<string | undefined> {
  const before = await vscode.env.clipboard.readText();
  await vscode.env.clipboard.writeText("");
  try {
    await vscode.commands.executeCommand("workbench.action.terminal.copySelection");
    const text = await vscode.env.clipboard.readText();
    return text.trim() === "" ? undefined : text;
  } finally {
    await vscode.env.clipboard.writeText(before);
  }
}
