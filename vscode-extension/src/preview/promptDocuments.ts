/** Prompts as read-only documents, for comparing and for reading as text. Secrets are masked. */
import * as vscode from "vscode";

/** Not `agent-memory-prompt`: the client requests documents of that scheme from the server. */
const SCHEME = "agent-memory-preview";

export class PromptDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
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

  /** Whether the document `name` is open. */
  isOpen(name: string): boolean {
    const uri = uriOf(name).toString();
    return vscode.workspace.textDocuments.some((document) => document.uri.toString() === uri);
  }

  /** Set the text of the document `name`; open editors show the new text. */
  put(name: string, text: string): vscode.Uri {
    const uri = uriOf(name);
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

function uriOf(name: string): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `/${name}.md` });
}
