/** The editor's tree items for the folders, groups and files of the Sources view. */
import * as vscode from "vscode";
import { t } from "../l10n";
import { escapeMarkdown } from "./escapeMarkdown";
import type { SourceGroup, SourceItem } from "./sourceItems";
import type { FolderNode } from "./updateRows";

export function folderItem(folder: FolderNode): vscode.TreeItem {
  const item = new vscode.TreeItem(folder.label, vscode.TreeItemCollapsibleState.Expanded);
  item.id = folder.id;
  item.description = folder.description;
  item.iconPath = new vscode.ThemeIcon("root-folder");
  item.contextValue = "folder";
  item.accessibilityInformation = { label: `${folder.label}, ${folder.description}` };
  return item;
}

export function groupItem(group: SourceGroup): vscode.TreeItem {
  const expanded = group.id === "loaded" || group.id === "unread";
  const item = new vscode.TreeItem(
    group.label,
    expanded ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed,
  );
  item.id = group.key;
  item.description = String(group.items.length);
  item.contextValue = `group.${group.id}`;
  const { length } = group.items;
  const count = length === 1 ? t("1 file") : t("{0} files", length);
  item.accessibilityInformation = { label: `${group.label}, ${count}` };
  return item;
}

export function fileItem(node: SourceItem): vscode.TreeItem {
  const item = new vscode.TreeItem(node.label);
  item.id = node.id; // a stable id keeps selection and expansion across refreshes
  // The editor decorates the row with the file's problems, as in the Explorer.
  item.resourceUri = vscode.Uri.parse(node.source.uri);
  item.description = node.description;
  item.tooltip = tooltip(node.tooltip);
  item.iconPath = new vscode.ThemeIcon(node.icon);
  const canAct = node.action !== null && node.action.kind !== "advice";
  item.contextValue = `source.${node.kind}${node.moveTo ? ".movable" : ""}${canAct ? ".action" : ""}`;
  item.accessibilityInformation = { label: node.spoken };
  if (node.kind !== "missing") {
    item.command = { command: "agentMemory.openSource", title: t("Open"), arguments: [node] };
  } else if (vscode.workspace.isTrusted) {
    item.command = { command: "agentMemory.createSource", title: t("Create File"), arguments: [node] };
  }
  return item;
}

/** The lines as Markdown, the first one bold. File names and reasons are shown as text. */
function tooltip([first = "", ...facts]: readonly string[]): vscode.MarkdownString {
  return new vscode.MarkdownString([`**${escapeMarkdown(first)}**`, ...facts.map(escapeMarkdown)].join("\n\n"));
}
