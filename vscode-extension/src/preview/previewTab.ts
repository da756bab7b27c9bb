/** Recognizes the tab of the preview. */
import * as vscode from "vscode";

export const VIEW_TYPE = "agentMemory.preview";

/** Whether a tab shows the preview; the editor puts a prefix before the type. */
export function isPreviewTab(tab: vscode.Tab | undefined): boolean {
  return tab?.input instanceof vscode.TabInputWebview && tab.input.viewType.endsWith(VIEW_TYPE);
}
