/** The output channel "Agent Memory Trace", controlled by the setting `trace.server`. */
import * as vscode from "vscode";
import { SECTION } from "../configuration";

/**
 * A channel whose level follows the setting.
 *
 * The client's library traces only to a channel of level Trace, which the user would otherwise
 * have to select in every window.
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
