/** The language server's process and connection: started when needed, one at a time. */
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { importStrategy, interpreterSetting } from "../configuration";
import { Debouncer } from "../debouncer";
import { errorMessage } from "../errors";
import type { Interpreter } from "../interpreter";
import { NoInterpreterError } from "../interpreter";
import { asSentence, t } from "../l10n";
import type { ChangeEvent, Request, ServerCommand } from "../protocol";
import { PythonExtension } from "../pythonExtension";
import { findPython, showInterpreterError } from "./findPython";
import { launch } from "./launch";
import { RestartLimiter } from "./restartLimiter";
import type { ServerState } from "./state";
import { traceChannel } from "./traceChannel";

/** Delay between a change of the selected interpreter and the restart, in milliseconds. */
const PYTHON_CHANGE_MS = 500;
/** A server that does not answer `shutdown` within this time is killed; a busy machine needs seconds. */
const STOP_MS = 10_000;

export class LanguageServer implements vscode.Disposable {
  readonly log = vscode.window.createOutputChannel("Agent Memory", { log: true });
  private readonly trace = traceChannel();
  private readonly changes = new vscode.EventEmitter<ChangeEvent>();
  private readonly states = new vscode.EventEmitter<ServerState>();
  private readonly restartLimiter = new RestartLimiter();
  private readonly python = new PythonExtension((reason) => {
    this.log.warn(`the Python extension names no interpreter: ${reason}`);
  });
  private readonly restartDebouncer = new Debouncer(() => {
    if (this.state !== "off" && interpreterSetting().trim() === "") {
      void this.restart();
    }
  }, PYTHON_CHANGE_MS);
  private client: LanguageClient | undefined;
  private queue: Promise<void> = Promise.resolve();
  private restartPending = false;
  /** start() waits for the server and reports its failure. */
  private startPending = false;
  /** An error was shown; no further one until the user asks for the server again. */
  private errorShown = false;

  readonly onDidChange = this.changes.event;
  readonly onDidChangeState = this.states.event;
  state: ServerState = "off";
  interpreter: Interpreter | undefined;
  /** The last change notification of the running server. */
  lastChange: ChangeEvent | undefined;

  constructor(private readonly context: vscode.ExtensionContext) {
    this.python.onDidChange(() => {
      this.restartDebouncer.schedule();
    });
  }

  /**
   * The running client, started if necessary; undefined if it cannot run (an error is shown).
   *
   * Background views pass `userRequested = false`: they never restart a server that failed.
   */
  async ensure(userRequested = true): Promise<LanguageClient | undefined> {
    if (!userRequested && this.state === "failed") {
      return undefined;
    }
    this.errorShown &&= !userRequested;
    await this.enqueue(async () => {
      // The start that this one waited for may have failed.
      if (userRequested || this.state !== "failed") {
        await this.start();
      }
    });
    return this.client?.isRunning() ? this.client : undefined;
  }

  /** Send a request; undefined without a server. Rejects with the server's message. */
  async request<P, R>(type: Request<P, R>, params: P, token?: vscode.CancellationToken): Promise<R | undefined> {
    const client = await this.ensure();
    const rest = token ? [token] : []; // the client would send an undefined token as a parameter
    return client?.sendRequest<R>(type.method, params, ...rest);
  }

  /** Run a command of the server; undefined without a server. Rejects with the server's message. */
  async run<P, R>({ command }: ServerCommand<P, R>, params: P): Promise<R | undefined> {
    const client = await this.ensure();
    return client?.sendRequest<R>("workspace/executeCommand", { command, arguments: [params] });
  }

  /** Stop and start. A call while a restart is pending returns that restart. */
  async restart(): Promise<void> {
    if (this.restartPending) {
      return this.queue;
    }
    this.restartPending = true;
    this.errorShown = false;
    await this.enqueue(async () => {
      this.restartPending = false;
      this.restartLimiter.reset();
      await this.stop();
      await this.start();
    });
  }

  async dispose(): Promise<void> {
    await this.enqueue(() => this.stop());
    for (const item of [this.python, this.restartDebouncer, this.log, this.trace, this.changes, this.states]) {
      item.dispose();
    }
  }

  private enqueue(step: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(step).catch((error: unknown) => {
      this.setState("failed");
      this.log.error(error instanceof Error ? error : String(error));
      this.showError(t("The Agent Memory server failed to start: {0}", errorMessage(error)));
    });
    return this.queue;
  }

  private async start(): Promise<void> {
    if (this.client && this.state !== "failed") {
      return;
    }
    this.setState("starting");
    await this.client?.dispose().catch((error: unknown) => {
      this.log.debug(`disposing the previous client: ${errorMessage(error)}`);
    });
    this.client = undefined;
    const interpreter = await this.findPython();
    if (!interpreter) {
      this.setState("failed");
      return;
    }
    this.interpreter = interpreter;
    const client = await this.connect(interpreter);
    this.client = client;
    this.startPending = true;
    await client.start().finally(() => {
      this.startPending = false;
    });
    this.setState("running");
  }

  private async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.setState("off");
    // The client kills a server that hangs, after a timeout.
    await client?.dispose(STOP_MS).catch((error: unknown) => {
      this.log.warn(`stopping: ${errorMessage(error)}`);
    });
  }

  private async connect(interpreter: Interpreter): Promise<LanguageClient> {
    const strategy = importStrategy();
    const run = launch(interpreter.command, this.context.extensionPath, strategy);
    this.log.info(
      `Python ${interpreter.version.join(".")} (${interpreter.command}, ${interpreter.origin}), ${strategy}`,
    );
    const { createClient } = await import("./client");
    const client: LanguageClient = createClient(run, this.log, this.trace, {
      onChange: (change) => {
        this.lastChange = change;
        this.changes.fire(change);
      },
      onState: (state) => {
        // Failures are set here: a failed start may be retried, and a client that gave up reports
        // "off" afterwards.
        const isNew = state !== "failed" && !(state === "off" && this.state === "failed");
        if (client === this.client && isNew) {
          this.setState(state);
        }
      },
      onClosed: () => this.onClosed(),
    });
    return client;
  }

  /** The server process ended; returns whether to restart it. */
  private onClosed(): boolean {
    if (this.startPending) {
      return false; // start() reports the error
    }
    if (this.restartLimiter.mayRestart(Date.now())) {
      this.log.warn("the server process ended; restarting it");
      return true;
    }
    this.setState("failed");
    this.showError(t("The Agent Memory server keeps crashing. See the log for details."));
    return false;
  }

  private async findPython(): Promise<Interpreter | undefined> {
    try {
      return await findPython(this.python);
    } catch (error) {
      if (!(error instanceof NoInterpreterError)) {
        throw error;
      }
      this.log.error(`no usable Python: ${error.message}`);
      if (!this.errorShown) {
        this.errorShown = true;
        void showInterpreterError(error);
      }
      return undefined;
    }
  }

  private showError(text: string): void {
    if (this.errorShown) {
      return;
    }
    this.errorShown = true;
    const restart = t("Restart Server");
    const logs = t("Show Logs");
    void vscode.window.showErrorMessage(asSentence(text), restart, logs).then((choice) => {
      if (choice === restart) {
        void this.restart();
      } else if (choice === logs) {
        this.log.show();
      }
    });
  }

  private setState(state: ServerState): void {
    if (state !== this.state) {
      this.state = state;
      this.lastChange = state === "off" ? undefined : this.lastChange;
      this.states.fire(state);
    }
  }
}
