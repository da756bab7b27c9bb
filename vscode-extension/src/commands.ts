/** All commands, by their name in the manifest. */
import * as vscode from "vscode";
import { choosePython } from "./choosePython";
import { copyDebugInformation } from "./debugInformation";
import { showError } from "./errors";
import { openMemory } from "./openMemory";
import { pickAgent, pickRuntime } from "./pickers";
import type { LineContext } from "./preview/lineCommands";
import type { PreviewPanels } from "./preview/panels";
import { rememberSelection, rememberTerminalSelection } from "./remember/remember";
import { openRulePage } from "./rulePages";
import { searchMemory } from "./searchLearned";
import type { LanguageServer } from "./server/server";
import type { LearnedView } from "./views/learned";
import { learnedHandlers } from "./views/learnedCommands";
import { sourceHandlers } from "./views/sourceCommands";
import type { SourcesView } from "./views/sources";

export interface Parts {
  context: vscode.ExtensionContext;
  server: LanguageServer;
  previews: PreviewPanels;
  sources: SourcesView;
  learned: LearnedView;
}

export type Handler = (...args: unknown[]) => unknown;

export function handlers({ context, server, previews, sources, learned }: Parts): Record<string, Handler> {
  return {
    "agentMemory.rememberInProject": () => rememberSelection(server, "project"),
    "agentMemory.rememberInUser": () => rememberSelection(server, "user"),
    "agentMemory.rememberInFile": () => rememberSelection(server, "file"),
    "agentMemory.rememberChoose": () => rememberSelection(server, "section"),
    // The same commands with short titles for the menu "Remember This".
    "agentMemory.remember.inProject": () => rememberSelection(server, "project"),
    "agentMemory.remember.inUser": () => rememberSelection(server, "user"),
    "agentMemory.remember.inFile": () => rememberSelection(server, "file"),
    "agentMemory.remember.choose": () => rememberSelection(server, "section"),
    "agentMemory.rememberTerminal": () => rememberTerminalSelection(server),
    "agentMemory.previewPrompt": (place) => {
      previews.show(hasUri(place) ? place : undefined);
    },
    "agentMemory.previewPromptOfFolder": (folder) => {
      const uri = folder instanceof vscode.Uri ? folder.toString() : undefined;
      previews.show(uri === undefined ? undefined : { uri, cwd: uri });
    },
    "agentMemory.openPromptText": () => previews.openText(),
    "agentMemory.explainLine": (at) => {
      previews.explain(lineOf(at));
    },
    "agentMemory.copyPrompt": () => previews.actions.copy(),
    "agentMemory.comparePrompt": () => previews.actions.compare(),
    "agentMemory.revealSecrets": () => previews.actions.reveal(true),
    "agentMemory.maskSecrets": () => previews.actions.reveal(false),
    "agentMemory.copySelection": (at) => {
      previews.copySelection(lineOf(at));
    },
    "agentMemory.goToSource": (at) => previews.goToSource(lineOf(at)),
    "agentMemory.pickRuntime": () => pickRuntime(server),
    "agentMemory.pickAgent": () => pickAgent(server),
    "agentMemory.searchMemory": () => {
      searchMemory(server);
    },
    ...learnedHandlers(learned),
    ...sourceHandlers(server, previews, sources),
    "agentMemory.openWalkthrough": () =>
      vscode.commands.executeCommand(
        "workbench.action.openWalkthrough",
        `${context.extension.id}#agentMemory.start`,
      ),
    "agentMemory.openUserMemory": () => openMemory(server, "user"),
    "agentMemory.openProjectMemory": () => openMemory(server, "project"),
    "agentMemory.choosePython": () => choosePython(),
    "agentMemory.restartServer": () => server.restart(),
    "agentMemory.openRulePage": (code) => openRulePage(context.extensionUri, code),
    "agentMemory.showLogs": () => {
      server.log.show();
    },
    "agentMemory.copyDebugInformation": () => copyDebugInformation(server, context.extension),
  };
}

/** A code lens passes the URI of its file as a string; menus pass a different type. */
function hasUri(value: unknown): value is { uri: string } {
  return typeof value === "object" && value !== null && "uri" in value && typeof value.uri === "string";
}

/** The line passed by a context menu; undefined for the selected line. */
function lineOf(value: unknown): LineContext | undefined {
  return typeof value === "object" && value !== null && "segment" in value && "line" in value
    ? (value as LineContext)
    : undefined;
}

/** Register all commands; a command that fails shows its error. */
export function registerCommands(parts: Parts): vscode.Disposable[] {
  return Object.entries(handlers(parts)).map(([name, handler]) =>
    vscode.commands.registerCommand(name, async (...args: unknown[]) => {
      try {
        return await handler(...args);
      } catch (error) {
        showError(parts.server.log, name, error);
        return undefined;
      }
    }),
  );
}
