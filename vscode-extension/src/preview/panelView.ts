/** The title, the model and the pickers of the panel, with the editor's folders and findings. */
import * as os from "node:os";
import * as vscode from "vscode";
import { t } from "../l10n";
import { findingsOf } from "./findings";
import type { ShownPrompt } from "./incrementalPrompt";
import type { Pickers } from "./messages";
import type { PreviewModel } from "./model";
import { previewModel } from "./model";
import { pagePickers } from "./pagePickers";
import { shortener } from "./paths";
import type { PromptSelection } from "./promptSelection";

export interface PanelView {
  title: string;
  model: PreviewModel;
  pickers: Pickers;
}

/** The title names the folder if the window has several, or if the agent starts in another one. */
export function panelView(prompt: ShownPrompt, { place, choice }: PromptSelection): PanelView {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const model = previewModel(prompt, {
    locale: vscode.env.language,
    shorten: shortener(folders.map((item) => item.uri.fsPath), os.homedir()),
    findings: findingsOf,
  });
  const uri = folders.length > 1 ? place.uri : undefined;
  const folder = uri === undefined ? undefined : vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(uri));
  const known = folders.map((item) => ({ uri: item.uri.toString(), name: item.name }));
  const name = place.cwd ? vscode.workspace.asRelativePath(vscode.Uri.parse(place.cwd)) : folder?.name;
  return {
    title: name ? t("Prompt: {0}", name) : t("Prompt Preview"),
    model,
    pickers: pagePickers(prompt, choice, known, folder?.uri.toString()),
  };
}
