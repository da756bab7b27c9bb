/** The language server's process and the connection to it: started when needed, one at a time. */
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { importStrategy, interpreterSetting } from "../configuration";
import type { Interpreter } from "../interpreter";
import { findInterpreter, NoInterpreterError } from "../interpreter";
import { reasonOf } from "../failures";
import { t } from "../l10n";
import type { Changed, Request } from "../protocol";
import { Later } from "../later";
import { PythonExtension } from "../pythonExtension";
import { Crashes } from "./crashes";
import { launch } from "./launch";
import type { ServerState } from "./state";
import { traceChannel } from "./trace";

/** How long after the last change of the chosen interpreter the server is started with it. */
const PYTHON_CHANGE_MS = 500;

export class LanguageServer implements vscode.Disposable {
  readonly log = vscode.window.createOutputChannel("Agent Memory", { log: true });
  private readonly trace = traceChannel();
  private readonly changes = new vscode.EventEmitter<Changed>();
  private readonly states = new vscode.EventEmitter<ServerState>();
  private readonly crashes = new Crashes();
  private readonly python = new PythonExtension((reason) => {
    this.log.warn(`the Python extension names no interpreter: ${reason}`);
  });
  private readonly restartLater = new Later(() => {
    if (this.state !== "off" && interpreterSetting().trim() === "") {
      void this.restart();
    }
  }, PYTHON_CHANGE_MS);
  private client: LanguageClient | undefined;
  private queue: Promise<void> = Promise.resolve();
  private restartWaits = false;
  /** Whether start() waits for the server, and will tell the user what became of it. */
  private awaited = false;
  private complained = false;

  readonly onDidChange = this.changes.event;
  readonly onDidChangeState = this.states.event;
  state: ServerState = "off";
  interpreter: Interpreter | undefined;
  /** What was last told of the prompt; undefined where no server has told anything. */
  told: Changed | undefined;

  constructor(private readonly context: vscode.ExtensionContext) {
    this.python.onDidChange(() => {
      this.restartLater.ask();
    });
  }

  /**
   * The running client, started if need be; undefined where it cannot run (the user was told).
   *
   * What nobody asked for does not try again what failed: views ask at each change of the state.
   */
  async ensure(asked = true): Promise<LanguageClient | undefined> {
    if (!asked && this.state === "failed") {
      return undefined;
    }
    this.complained &&= !asked;
    await this.enqueue(() => this.start());
    return this.client?.isRunning() ? this.client : undefined;
  }

  /** Send `params`; undefined where there is no server. Rejects with the server's own message. */
  async request<P, R>(type: Request<P, R>, params: P): Promise<R | undefined> {
    const client = await this.ensure();
    return client?.sendRequest<R>(type.method, params);
  }

  /** Stop and start. Calls while one is waiting its turn are the same restart. */
  async restart(): Promise<void> {
    if (this.restartWaits) {
      return this.queue;
    }
    this.restartWaits = true;
    this.complained = false;
    await this.enqueue(async () => {
      this.restartWaits = false;
      this.crashes.forget();
      await this.stop();
      await this.start();
    });
  }

  async dispose(): Promise<void> {
    await this.enqueue(() => this.stop());
    for (const item of [this.python, this.restartLater, this.log, this.trace, this.changes, this.states]) {
      item.dispose();
    }
  }

  private enqueue(step: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(step).catch((error: unknown) => {
      this.setState("failed");
      this.log.error(error instanceof Error ? error : String(error));
      this.complain(t("The Agent Memory server did not start: {0}", reasonOf(error)));
    });
    return this.queue;
  }

  private async start(): Promise<void> {
    if (this.client && this.state !== "failed") {
      return;
    }
    this.setState("starting");
    await this.client?.dispose().catch((error: unknown) => {
      this.log.debug(`what is left of the last start: ${reasonOf(error)}`);
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
    this.awaited = true;
    await client.start().finally(() => {
      this.awaited = false;
    });
    this.setState("running");
  }

  private async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.setState("off");
    // A server that hangs is killed by the client after its own time-out.
    await client?.dispose().catch((error: unknown) => {
      this.log.warn(`stopping: ${reasonOf(error)}`);
    });
  }

  private async connect(interpreter: Interpreter): Promise<LanguageClient> {
    const strategy = importStrategy();
    const run = launch(interpreter.command, this.context.extensionPath, strategy);
    this.log.info(
      `Python ${interpreter.version.join(".")} (${interpreter.command}, ${interpreter.origin}), ${strategy}`,
    );
    const { makeClient } = await import("./client");
    const client: LanguageClient = makeClient(run, this.log, this.trace, {
      changed: (change) => {
        this.told = change;
        this.changes.fire(change);
      },
      state: (state) => {
        // That it failed is known here: a start that fails may be tried again, and a client that
        // was told to give up says "off" afterwards.
        const isNews = state !== "failed" && !(state === "off" && this.state === "failed");
        if (client === this.client && isNews) {
          this.setState(state);
        }
      },
      gone: () => this.gone(),
    });
    return client;
  }

  /** The server went away by itself; whether to start it again. */
  private gone(): boolean {
    if (this.awaited) {
      return false; // start() tells the user
    }
    if (this.crashes.mayRestart(Date.now())) {
      this.log.warn("the server went away; starting it again");
      return true;
    }
    this.setState("failed");
    this.complain(t("The Agent Memory server stopped again and again. The log says why."));
    return false;
  }

  private async findPython(): Promise<Interpreter | undefined> {
    try {
      return await findInterpreter({
        setting: interpreterSetting(),
        // It may name what the workspace's own settings say.
        pythonExtension: async () =>
          vscode.workspace.isTrusted
            ? this.python.interpreter(vscode.workspace.workspaceFolders?.[0]?.uri)
            : undefined,
        platform: process.platform,
      });
    } catch (error) {
      if (!(error instanceof NoInterpreterError)) {
        throw error;
      }
      this.log.error(`no usable Python: ${error.message}`);
      void this.offerInterpreterSetting(error);
      return undefined;
    }
  }

  private async offerInterpreterSetting(error: NoInterpreterError): Promise<void> {
    if (this.complained) {
      return;
    }
    this.complained = true;
    const open = t("Choose Python…");
    const set = interpreterSetting().trim();
    const text = set
      ? t("Agent Memory needs Python 3.11 or newer. The one that is set does not work: {0}", error.message)
      : t("Agent Memory needs Python 3.11 or newer, and none was found on this machine.");
    if ((await vscode.window.showErrorMessage(text, open)) === open) {
      await vscode.commands.executeCommand("agentMemory.choosePython");
    }
  }

  private complain(text: string): void {
    if (this.complained) {
      return;
    }
    this.complained = true;
    const restart = t("Restart Server");
    const logs = t("Show Logs");
    void vscode.window.showErrorMessage(text, restart, logs).then((choice) => {
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
      this.told = state === "off" ? undefined : this.told;
      this.states.fire(state);
    }
  }
}
