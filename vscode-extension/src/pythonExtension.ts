/** The interpreter selected in the Python extension, if that is installed. */
import * as vscode from "vscode";
import { errorMessage } from "./errors";

/** The used part of the API of `ms-python.python`. */
interface PythonApi {
  ready?: Promise<void>;
  environments?: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
    resolveEnvironment(path: { path: string }): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
    known?: readonly { executable: { uri?: vscode.Uri } }[];
    onDidChangeActiveEnvironmentPath?: vscode.Event<unknown>;
  };
}

/** Timeout in milliseconds: the server must not hang on the start of another extension. */
const TIMEOUT_MS = 5_000;

/** The interpreters that the Python extension has found so far; empty if it is not running. */
export function knownInterpreters(): string[] {
  const extension = vscode.extensions.getExtension<PythonApi>("ms-python.python");
  const known = extension?.isActive ? extension.exports.environments?.known : undefined;
  return (known ?? []).flatMap(({ executable }) => executable.uri?.fsPath ?? []);
}

export class PythonExtension implements vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<void>();
  private listener: vscode.Disposable | undefined;
  /** Fires when another interpreter is selected, once {@link interpreter} was called. */
  readonly onDidChange = this.changes.event;

  /** `onError` is called with the reason if the extension is installed but fails. */
  constructor(private readonly onError: (reason: string) => void) {}

  /** The path of the selected interpreter; undefined if no interpreter is selected. */
  async interpreter(resource: vscode.Uri | undefined): Promise<string | undefined> {
    const extension = vscode.extensions.getExtension<PythonApi>("ms-python.python");
    if (!extension) {
      return undefined;
    }
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(reject, TIMEOUT_MS, new Error(`no answer within ${TIMEOUT_MS / 1000} seconds`));
    });
    try {
      return await Promise.race([this.request(extension, resource), timeout]);
    } catch (error) {
      this.onError(errorMessage(error));
      return undefined; // PATH is tried next
    } finally {
      clearTimeout(timer);
    }
  }

  dispose(): void {
    this.listener?.dispose();
    this.changes.dispose();
  }

  private async request(
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
    const selected = api.environments.getActiveEnvironmentPath(resource);
    const environment = await api.environments.resolveEnvironment(selected);
    return environment?.executable.uri?.fsPath;
  }
}
