/** Making the client. Loaded when a server is started, since its library takes most of our start-up. */
import * as os from "node:os";
import * as vscode from "vscode";
import { CloseAction, ErrorAction, LanguageClient, State } from "vscode-languageclient/node";
import { SECTION } from "../configuration";
import { SYNCED } from "../memoryFiles";
import type { Changed } from "../protocol";
import { CHANGED } from "../protocol";
import type { Launch } from "./launch";
import type { ServerState } from "./state";

/** How long findings wait after a key, in milliseconds: less than anybody sees. */
const FINDINGS_WAIT_MS = 30;

/** What the client tells of its server. */
export interface ClientEvents {
  changed(change: Changed): void;
  state(state: ServerState): void;
  /** The server went away; whether it is to be started again. */
  gone(): boolean;
}

const STATES: Record<State, ServerState> = {
  [State.Stopped]: "off",
  [State.Starting]: "starting",
  [State.Running]: "running",
  [State.StartFailed]: "failed",
};

export function makeClient(
  run: Launch,
  log: vscode.LogOutputChannel,
  trace: vscode.LogOutputChannel,
  events: ClientEvents,
): LanguageClient {
  // The home folder always is there, while a workspace folder may be deleted or be remote.
  const options = { cwd: os.homedir() };
  const client = new LanguageClient(
    SECTION,
    "Agent Memory",
    { ...run, options },
    {
      documentSelector: SYNCED,
      outputChannel: log,
      traceOutputChannel: trace,
      initializationOptions: {
        trusted: vscode.workspace.isTrusted,
        markdownSupport: true, // the editor has symbols, links and folding of markdown itself
        previewCommand: "agentMemory.previewPrompt", // what the lens above a file opens
      },
      middleware: {
        // What shows the letters that are typed comes first: the preview, if it is open.
        provideDiagnostics: async (document, previous, token, next) => {
          await new Promise((resolve) => setTimeout(resolve, FINDINGS_WAIT_MS));
          if (token.isCancellationRequested) {
            throw new vscode.CancellationError(); // there was another key: the client asks again
          }
          return next(document, previous, token);
        },
      },
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => ({
          action: events.gone() ? CloseAction.Restart : CloseAction.DoNotRestart,
          handled: true,
        }),
      },
      initializationFailedHandler: () => false, // start() rejects, and its caller tells the user
    },
  );
  client.onNotification(CHANGED, (change: Changed) => {
    events.changed(change);
  });
  client.onDidChangeState(({ newState }) => {
    events.state(STATES[newState]);
  });
  return client;
}
