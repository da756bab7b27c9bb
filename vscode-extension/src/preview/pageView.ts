/** The panel's page, seen from the extension: it is made, becomes ready, and is told what is new. */
import { readFileSync } from "node:fs";
import * as vscode from "vscode";
import { t } from "../l10n";
import { page } from "./html";
import type { FromPage, ToPage } from "./messages";
import type { PreviewModel } from "./model";
import { Updates } from "./updates";

type ModelMessage = Extract<ToPage, { type: "model" }>;
type Beside = Pick<ModelMessage, "pickers" | "revealed">;

export class PageView {
  private ready = false;
  /** Worked out while the page was made, so that it is sent at once. */
  private first: ModelMessage | undefined;
  private readonly updates = new Updates();

  constructor(
    extension: vscode.Uri,
    private readonly panel: vscode.WebviewPanel,
    receive: (message: FromPage) => void,
  ) {
    const file = (...parts: string[]) => vscode.Uri.joinPath(extension, ...parts);
    panel.webview.onDidReceiveMessage(receive);
    panel.webview.options = { enableScripts: true, localResourceRoots: [] };
    panel.iconPath = { light: file("media", "preview-light.svg"), dark: file("media", "preview-dark.svg") };
    panel.webview.html = page({
      script: readFileSync(file("dist", "preview.js").fsPath, "utf8"),
      style: readFileSync(file("media", "preview.css").fsPath, "utf8"),
      locale: vscode.env.language,
      title: t("Prompt Preview"),
      bundle: vscode.l10n.bundle ?? {},
    });
  }

  /** The page says that it listens. Returns whether it has been sent something to show. */
  begin(): boolean {
    this.ready = true;
    const { first } = this;
    this.first = undefined;
    if (first) {
      this.post(first);
    } else {
      this.updates.reset();
    }
    return first !== undefined;
  }

  /** The editor drops the page of a panel that is hidden; the next one begins anew. */
  end(): void {
    this.ready = false;
    this.first = undefined;
    this.updates.reset();
  }

  show({ segments, ...frame }: PreviewModel, beside: Beside): void {
    if (!this.ready) {
      this.updates.reset();
    }
    const whole = this.updates.isEmpty;
    const message: ModelMessage = { type: "model", whole, frame, segments: this.updates.next(segments), ...beside };
    if (this.ready) {
      this.post(message);
    } else {
      this.first = message;
    }
  }

  /** Messages before the page listens are lost. */
  post(message: ToPage): void {
    void this.panel.webview.postMessage(message);
  }
}
