/** The output "Agent Memory Trace": the client writes into it as the setting `trace.server` says. */
import * as vscode from "vscode";
import { SECTION } from "../configuration";

/**
 * A channel whose level follows the setting.
 *
 * The client's library traces only into a channel of level Trace, which the user would have to
 * set beside the setting, for each window anew.
 */
export function traceChannel(): vscode.LogOutputChannel {
  const channel = vscode.window.createOutputChannel("Agent Memory Trace", { log: true });
  const levels = new vscode.EventEmitter<vscode.LogLevel>();
  const listener = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(`${SECTION}.trace.server`)) {
      levels.fire(level());
    }
  });
  return {
    ...channel,
    get logLevel() {
      return level();
    },
    onDidChangeLogLevel: levels.event,
    trace: (message: string, ...more: unknown[]) => {
      channel.info(message, ...more);
    },
    dispose: () => {
      vscode.Disposable.from(listener, levels, channel).dispose();
    },
  };
}

function level(): vscode.LogLevel {
  const wanted = vscode.workspace.getConfiguration(SECTION).get<string>("trace.server");
  return wanted === "off" ? vscode.LogLevel.Off : vscode.LogLevel.Trace;
}
