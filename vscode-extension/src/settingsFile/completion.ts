/** Completes keys, rule codes and values in agent-memory.toml. */
import * as vscode from "vscode";
import type { Schema, Suggestion } from "./suggestions";
import { suggestions } from "./suggestions";

const SELECTOR = { scheme: "file", pattern: "**/.deepagents/agent-memory.toml" };
const WORD = /["'\w.-]+/;

export function completeSettingsFile(extensionUri: vscode.Uri): vscode.Disposable {
  let schema: Promise<Schema> | undefined;
  const provider: vscode.CompletionItemProvider = {
    async provideCompletionItems(document, position) {
      schema ??= readSchema(extensionUri);
      const lines = document.getText().split(/\r\n|\n/);
      const before = (lines[position.line] ?? "").slice(0, position.character);
      const range = document.getWordRangeAtPosition(position, WORD);
      return suggestions(await schema, lines.slice(0, position.line), before).map((found) => item(found, range));
    },
  };
  return vscode.languages.registerCompletionItemProvider(SELECTOR, provider, '"', "=", "[", ".");
}

function item({ label, insert, detail }: Suggestion, range: vscode.Range | undefined): vscode.CompletionItem {
  const { Property, Value } = vscode.CompletionItemKind;
  const made = new vscode.CompletionItem(label, insert === label ? Value : Property);
  made.insertText = insert;
  made.documentation = new vscode.MarkdownString(detail);
  if (range) {
    made.range = range;
  }
  return made;
}

async function readSchema(extensionUri: vscode.Uri): Promise<Schema> {
  const file = vscode.Uri.joinPath(extensionUri, "bundled", "agent-memory.schema.json");
  return JSON.parse(new TextDecoder().decode(await vscode.workspace.fs.readFile(file))) as Schema;
}
