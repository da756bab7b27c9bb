/** The interpreter chosen in the Python extension, where that is installed. */
import * as vscode from "vscode";
import { reasonOf } from "./failures";

/** What is used of the API of `ms-python.python`. */
interface PythonApi {
  ready?: Promise<void>;
  environments?: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
    resolveEnvironment(path: { path: string }): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
    onDidChangeActiveEnvironmentPath?: vscode.Event<unknown>;
  };
}

/** How long to wait for that extension: the server must not hang on another's start-up. */
const WAIT_MS = 5_000;

export class PythonExtension implements vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<void>();
  private listener: vscode.Disposable | undefined;
  /** Another interpreter is chosen; fires only once {@link interpreter} was asked for. */
  readonly onDidChange = this.changes.event;

  /** `trouble` is told why nothing can be learned from that extension, where it is there. */
  constructor(private readonly trouble: (reason: string) => void) {}

  /** The path of the chosen interpreter; undefined where there is none. */
  async interpreter(resource: vscode.Uri | undefined): Promise<string | undefined> {
    const extension = vscode.extensions.getExtension<PythonApi>("ms-python.python");
    if (!extension) {
      return undefined;
    }
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(reject, WAIT_MS, new Error(`no answer within ${WAIT_MS / 1000} seconds`));
    });
    try {
      return await Promise.race([this.ask(extension, resource), late]);
    } catch (error) {
      this.trouble(reasonOf(error));
      return undefined; // what is on PATH is tried next
    } finally {
      clearTimeout(timer);
    }
  }

  dispose(): void {
    this.listener?.dispose();
    this.changes.dispose();
  }

  private async ask(
    extension: vscode.Extension<PythonApi>,
    resource: vscode.Uri | undefined,
  ): Promise<string | undefined> {
    const api = extension.isActive ? extension.exports : await extension.activate();
    await api.ready;
    if (!api.environments) {
      return undefined;
    }
    this.listener ??= api.environments.onDidChangeActiveEnvironmentPath?.(() => {
      this.changes.fire();
    });
    const chosen = api.environments.getActiveEnvironmentPath(resource);
    const environment = await api.environments.resolveEnvironment(chosen);
    return environment?.executable.uri?.fsPath;
  }
}
