/** The panel's page: creates it, tracks when it is ready, and sends it what has changed. */
import { readFileSync } from "node:fs";
import * as vscode from "vscode";
import { t } from "../l10n";
import type { FromPage, Pickers, ToPage } from "./messages";
import type { PreviewModel } from "./model";
import { pageHtml } from "./pageHtml";
import { PageUpdates } from "./pageUpdates";

type ModelMessage = Extract<ToPage, { type: "model" }>;

export class WebviewPage {
  private ready = false;
  private isClosed = false;
  /** A model computed before the page was ready. */
  private pending: ModelMessage | undefined;
  /** Messages for the page that is being loaded. */
  private readonly waiting: ToPage[] = [];
  private readonly updates = new PageUpdates();

  constructor(
    extension: vscode.Uri,
    private readonly panel: vscode.WebviewPanel,
    receive: (message: FromPage) => void,
  ) {
    const file = (...parts: string[]) => vscode.Uri.joinPath(extension, ...parts);
    panel.onDidDispose(() => {
      this.isClosed = true;
    });
    panel.webview.onDidReceiveMessage(receive);
    panel.webview.options = { enableScripts: true, localResourceRoots: [] };
    panel.iconPath = { light: file("media", "preview-light.svg"), dark: file("media", "preview-dark.svg") };
    panel.webview.html = pageHtml({
      script: readFileSync(file("dist", "preview.js").fsPath, "utf8"),
      style: readFileSync(file("media", "preview.css").fsPath, "utf8"),
      locale: vscode.env.language,
      title: t("Prompt Preview"),
      bundle: vscode.l10n.bundle ?? {},
    });
  }

  /** The page listens now. Sends the pending model; returns whether there was one. */
  onReady(): boolean {
    this.ready = true;
    const { pending } = this;
    this.pending = undefined;
    if (pending) {
      this.post(pending);
    } else {
      this.updates.reset();
    }
    this.waiting.splice(0).forEach((message) => {
      this.post(message);
    });
    return pending !== undefined;
  }

  /** The editor discards the page of a hidden panel; the next page starts empty. */
  onHidden(): void {
    this.ready = false;
    this.pending = undefined;
    this.updates.reset();
  }

  show({ segments, ...frame }: PreviewModel, pickers: Pickers): void {
    if (!this.ready) {
      this.updates.reset();
    }
    const whole = this.updates.isEmpty;
    const message: ModelMessage = { type: "model", whole, frame, segments: this.updates.next(segments), pickers };
    if (this.ready) {
      this.post(message);
    } else {
      this.pending = message;
    }
  }

  /** Send a message now, or after the model once the page is ready. */
  whenReady(message: ToPage): void {
    if (this.ready) {
      this.post(message);
    } else {
      this.waiting.push(message);
    }
  }

  /** Send a message; it is lost if the page is not ready, or closed while an answer was awaited. */
  post(message: ToPage): void {
    if (!this.isClosed) {
      void this.panel.webview.postMessage(message);
    }
  }
}
