/** The editor's tree items for the groups and files of the Sources view. */
import * as vscode from "vscode";
import { t } from "../l10n";
import type { SourceGroup, SourceItem } from "./sourceItems";

export function groupItem(group: SourceGroup): vscode.TreeItem {
  const expanded = group.id === "loaded" || group.id === "unread";
  const item = new vscode.TreeItem(
    group.label,
    expanded ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed,
  );
  item.id = group.id;
  item.description = String(group.items.length);
  item.contextValue = `group.${group.id}`;
  return item;
}

export function fileItem(node: SourceItem): vscode.TreeItem {
  const uri = vscode.Uri.parse(node.source.uri);
  const item = new vscode.TreeItem(node.label);
  item.id = node.id; // a stable id keeps selection and expansion across refreshes
  item.description = node.description;
  item.tooltip = node.tooltip;
  item.iconPath = new vscode.ThemeIcon(node.icon);
  item.contextValue = `source.${node.kind}${node.moveTo ? ".movable" : ""}`;
  item.accessibilityInformation = { label: `${node.label}, ${node.description}` };
  if (node.kind !== "missing") {
    item.command = { command: "vscode.open", title: t("Open"), arguments: [uri] };
  } else if (vscode.workspace.isTrusted) {
    item.command = { command: "agentMemory.createSource", title: t("Create File"), arguments: [node] };
  }
  return item;
}
