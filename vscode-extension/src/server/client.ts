/** Creates the client. Loaded with the server, because its library takes most of our start-up time. */
import * as os from "node:os";
import * as vscode from "vscode";
import { CloseAction, ErrorAction, LanguageClient, State } from "vscode-languageclient/node";
import { SECTION } from "../configuration";
import { SYNCED } from "../filePatterns";
import type { ChangeEvent } from "../protocol";
import { RULE_PAGES } from "../rulePages";
import { CHANGED_NOTIFICATION } from "../protocol";
import type { Launch } from "./launch";
import type { ServerState } from "./state";
import { WHOLE_REPORTS } from "./wholeReports";

/** Events of the server. */
export interface ClientEvents {
  onChange(change: ChangeEvent): void;
  onState(state: ServerState): void;
  /** The process ended; returns whether to restart it. */
  onClosed(): boolean;
}

const STATES: Record<State, ServerState> = {
  [State.Stopped]: "off",
  [State.Starting]: "starting",
  [State.Running]: "running",
  [State.StartFailed]: "failed",
};

export function createClient(
  run: Launch,
  log: vscode.LogOutputChannel,
  trace: vscode.LogOutputChannel,
  events: ClientEvents,
): LanguageClient {
  // The home folder always exists; a workspace folder may be deleted or remote.
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
        markdownSupport: true, // the editor itself provides symbols, links and folding for Markdown
        previewCommand: "agentMemory.previewPrompt", // run by the code lens above a file
        rulePages: RULE_PAGES,
      },
      markdown: { isTrusted: { enabledCommands: ["agentMemory.openRulePage"] } }, // links in hovers
      middleware: {
        ...WHOLE_REPORTS,
        workspace: {
          // A client that is being replaced needs no settings: the next server reads them when it starts.
          didChangeConfiguration: async (sections, next) => {
            if (client.isRunning()) {
              await next(sections).catch((error: unknown) => {
                if (client.isRunning()) {
                  throw error;
                }
              });
            }
          },
        },
      },
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => ({
          action: events.onClosed() ? CloseAction.Restart : CloseAction.DoNotRestart,
          handled: true,
        }),
      },
      initializationFailedHandler: () => false, // start() rejects, and its caller reports the error
    },
  );
  client.onNotification(CHANGED_NOTIFICATION, (change: ChangeEvent) => {
    events.onChange(change);
  });
  client.onDidChangeState(({ newState }) => {
    events.onState(STATES[newState]);
  });
  return client;
}
