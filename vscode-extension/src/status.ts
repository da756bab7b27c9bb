/** The status bar item (any editor) and the language status item (memory files). */
import * as vscode from "vscode";
import { t } from "./l10n";
import { SELECTOR } from "./filePatterns";
import type { LanguageServer } from "./server/server";
import { statusText } from "./statusText";

const SEVERITY = {
  none: vscode.LanguageStatusSeverity.Information,
  warning: vscode.LanguageStatusSeverity.Warning,
  error: vscode.LanguageStatusSeverity.Error,
};

export class Status implements vscode.Disposable {
  private readonly bar = vscode.window.createStatusBarItem(
    "agentMemory.tokens",
    vscode.StatusBarAlignment.Right,
    90,
  );
  private readonly language = vscode.languages.createLanguageStatusItem(
    "agentMemory.status",
    SELECTOR,
  );
  private readonly listeners: vscode.Disposable[];
  constructor(private readonly server: LanguageServer) {
    this.bar.name = t("Agent Memory");
    this.language.name = t("Agent Memory");
    const show = () => {
      this.show();
    };
    this.listeners = [server.onDidChange(show), server.onDidChangeState(show)];
    show();
  }

  dispose(): void {
    for (const item of [this.bar, this.language, ...this.listeners]) {
      item.dispose();
    }
  }

  private show(): void {
    const { state, lastChange } = this.server;
    const status = statusText(state, lastChange, vscode.env.language);
    const command =
      state === "failed"
        ? { command: "agentMemory.showLogs", title: t("Show Logs") }
        : { command: "agentMemory.previewPrompt", title: t("Preview Prompt") };
    this.bar.text = status.bar;
    this.bar.tooltip = status.tooltip;
    this.bar.backgroundColor =
      status.severity === "none" ? undefined : new vscode.ThemeColor(`statusBarItem.${status.severity}Background`);
    this.bar.accessibilityInformation = { label: status.spoken, role: "button" };
    this.bar.command = command.command;
    this.language.text = status.text;
    this.language.detail = status.detail;
    this.language.severity = SEVERITY[status.severity];
    this.language.busy = status.busy;
    this.language.command = command;
    this.language.accessibilityInformation = { label: status.spoken };
    if (state === "off" && !lastChange) {
      this.bar.hide();
    } else {
      this.bar.show();
    }
  }
}
