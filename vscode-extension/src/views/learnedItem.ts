/** The editor's tree item for a learned entry. */
import * as vscode from "vscode";
import { t } from "../l10n";
import { scopeName } from "../preview/names";
import type { Entry } from "../protocol";
import { escapeMarkdown } from "./escapeMarkdown";

export function entryItem(entry: Entry, isInTrash: boolean): vscode.TreeItem {
  const item = new vscode.TreeItem(entry.summary);
  const facts = [scopeName(entry.scope), entry.kind, ...entry.tags];
  item.id = `${entry.scope}/${entry.id}`;
  item.description = facts.join(" · ");
  item.tooltip = tooltip(entry, facts);
  item.accessibilityInformation = { label: [entry.summary, ...facts, isInTrash ? t("in the trash") : ""].filter(Boolean).join(", ") };
  item.iconPath = new vscode.ThemeIcon(isInTrash ? "trash" : "note");
  item.contextValue = isInTrash ? "entry.trash" : "entry";
  item.command = { command: "agentMemory.editEntry", title: t("Open"), arguments: [entry] };
  return item;
}

/** The body as text: rendered Markdown could load pictures from elsewhere. */
function tooltip(entry: Entry, facts: readonly string[]): vscode.MarkdownString {
  const text = new vscode.MarkdownString(`**${escapeMarkdown(entry.summary)}**\n\n${escapeMarkdown(facts.join(" · "))}\n\n`);
  return text.appendCodeblock(entry.body.trim(), "text");
}
