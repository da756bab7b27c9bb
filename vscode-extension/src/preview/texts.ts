/** Prompts as read-only documents: for comparing, and for reading as text. Secrets are masked. */
import * as vscode from "vscode";

/** Not the server's `agent-memory-prompt`: the client asks the server for every document of that one. */
const SCHEME = "agent-memory-preview";

export class PromptTexts implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changes = new vscode.EventEmitter<vscode.Uri>();
  private readonly registration: vscode.Disposable;
  readonly onDidChange = this.changes.event;

  constructor() {
    this.registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? "";
  }

  /** Whether somebody has the document `name` open. */
  isOpen(name: string): boolean {
    const uri = addressOf(name).toString();
    return vscode.workspace.textDocuments.some((document) => document.uri.toString() === uri);
  }

  /** Keep `text` under `name`; a document that shows it is brought up to date. */
  put(name: string, text: string): vscode.Uri {
    const uri = addressOf(name);
    if (this.texts.get(uri.toString()) !== text) {
      this.texts.set(uri.toString(), text);
      this.changes.fire(uri);
    }
    return uri;
  }

  dispose(): void {
    this.registration.dispose();
    this.changes.dispose();
  }
}

function addressOf(name: string): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `/${name}.md` });
}
