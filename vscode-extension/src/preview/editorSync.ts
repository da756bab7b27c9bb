/** Keeps the preview and the editors of its files at the same place, both ways. */
import * as vscode from "vscode";
import type { EditorPosition } from "./messages";

/** How long scroll events of an editor are ignored after the preview has moved it, in milliseconds. */
const QUIET_MS = 400;

export class EditorSync implements vscode.Disposable {
  /** The editor's form of the server's URIs: drive letters have two spellings. */
  private readonly normalized = new Map<string, string>();
  private quietUntil = 0;
  private readonly listeners = [
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
      this.send(textEditor, null);
    }),
    vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor, visibleRanges }) => {
      if (Date.now() > this.quietUntil) {
        this.send(textEditor, visibleRanges[0]?.start.line ?? null);
      }
    }),
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      if (editor) {
        this.send(editor, null);
      }
    }),
  ];

  /** `uris` returns the files of the shown prompt; `show` moves the page. */
  constructor(
    private readonly uris: () => readonly string[],
    private readonly show: (at: EditorPosition) => void,
  ) {}

  dispose(): void {
    this.listeners.forEach((item) => void item.dispose());
  }

  /** Show the line of the cursor in the active editor, else in another visible one. */
  start(): void {
    const { activeTextEditor, visibleTextEditors } = vscode.window;
    const editors = [activeTextEditor, ...visibleTextEditors];
    const editor = editors.find((item) => item && this.uriOf(item.document.uri) !== undefined);
    if (editor) {
      this.send(editor, null);
    }
  }

  /** Scroll the visible editor of a file to `line`; another file is not opened. */
  scrollTo(uri: string, line: number): void {
    const editor = vscode.window.visibleTextEditors.find((item) => this.uriOf(item.document.uri) === uri);
    if (editor) {
      this.pause();
      editor.revealRange(new vscode.Range(line, 0, line, 0), vscode.TextEditorRevealType.AtTop);
    }
  }

  /** Ignore the scrolling that a jump from the preview causes: the clicked line must not move. */
  pause(): void {
    this.quietUntil = Date.now() + QUIET_MS;
  }

  private send(editor: vscode.TextEditor, top: number | null): void {
    const uri = this.uriOf(editor.document.uri);
    if (uri !== undefined) {
      this.show({ uri, line: editor.selection.active.line, top });
    }
  }

  /** The server's URI of a document of the prompt. */
  private uriOf(document: vscode.Uri): string | undefined {
    const wanted = document.toString();
    return this.uris().find((uri) => uri === wanted || this.normalize(uri) === wanted);
  }

  private normalize(uri: string): string {
    let text = this.normalized.get(uri);
    if (text === undefined) {
      text = vscode.Uri.parse(uri).toString();
      this.normalized.set(uri, text);
    }
    return text;
  }
}
