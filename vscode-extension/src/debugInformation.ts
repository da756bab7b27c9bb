/** Information for a bug report, without memory content. */
import * as os from "node:os";
import * as vscode from "vscode";
import { importStrategy, interpreterSetting } from "./configuration";
import { t } from "./l10n";
import { statusRequest } from "./protocol";
import type { LanguageServer } from "./server/server";

export async function copyDebugInformation(
  server: LanguageServer,
  extension: vscode.Extension<unknown>,
): Promise<void> {
  const { version } = extension.packageJSON as { version: string };
  const information = {
    extension: version,
    editor: `${vscode.env.appName} ${vscode.version} (${vscode.env.uiKind === vscode.UIKind.Web ? "web" : "desktop"}, ${vscode.env.remoteName ?? "local"})`,
    system: `${os.platform()} ${os.release()} ${os.arch()}`,
    trusted: vscode.workspace.isTrusted,
    folders: vscode.workspace.workspaceFolders?.length ?? 0,
    interpreter: server.interpreter ?? t("none found"),
    interpreterSetting: interpreterSetting(),
    importStrategy: importStrategy(),
    state: server.state,
    server: await status(server),
  };
  await vscode.env.clipboard.writeText(JSON.stringify(information, undefined, 2));
  void vscode.window.showInformationMessage(
    t("Copied versions, settings and folder paths. No memory content is included."),
  );
}

async function status(server: LanguageServer): Promise<unknown> {
  try {
    return await server.request(statusRequest, {});
  } catch (error) {
    return String(error);
  }
}
