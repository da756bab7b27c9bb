/** Every command, by the name the manifest gives it. */
import * as vscode from "vscode";
import { copyDebugInformation } from "./debugInformation";
import { t } from "./l10n";
import { openMemory } from "./openMemory";
import { pickAgent, pickRuntime } from "./pickers";
import type { LineContext } from "./preview/panel";
import type { PreviewPanels } from "./preview/panels";
import { rememberSelection } from "./remember/remember";
import { searchMemory } from "./recall";
import type { LanguageServer } from "./server/server";
import type { SourceItem } from "./views/sourceItems";
import type { SourcesView } from "./views/sources";

export interface Parts {
  context: vscode.ExtensionContext;
  server: LanguageServer;
  previews: PreviewPanels;
  sources: SourcesView;
}

type Handler = (...args: unknown[]) => unknown;

export function handlers({ context, server, previews, sources }: Parts): Record<string, Handler> {
  return {
    "agentMemory.rememberInProject": () => rememberSelection(server, "project"),
    "agentMemory.rememberInUser": () => rememberSelection(server, "user"),
    "agentMemory.rememberInFile": () => rememberSelection(server, "file"),
    "agentMemory.rememberChoose": () => rememberSelection(server, "section"),
    // The same under the short names of the menu "Remember This".
    "agentMemory.remember.inProject": () => rememberSelection(server, "project"),
    "agentMemory.remember.inUser": () => rememberSelection(server, "user"),
    "agentMemory.remember.inFile": () => rememberSelection(server, "file"),
    "agentMemory.remember.choose": () => rememberSelection(server, "section"),
    "agentMemory.previewPrompt": (place) => {
      previews.show(isPlace(place) ? place : undefined);
    },
    "agentMemory.openPromptText": () => previews.openText(),
    "agentMemory.explainLine": (at) => {
      previews.explain(at as LineContext);
    },
    "agentMemory.goToSource": (at) => previews.goToSource(at as LineContext),
    "agentMemory.pickRuntime": () => pickRuntime(server),
    "agentMemory.pickAgent": () => pickAgent(server),
    "agentMemory.searchMemory": () => {
      searchMemory(server);
    },
    "agentMemory.refreshSources": () => {
      sources.refresh();
    },
    "agentMemory.showIgnoredSources": () => sources.showIgnored(),
    "agentMemory.createSource": (node) => sources.create(node as SourceItem),
    "agentMemory.moveSource": (node) => sources.move(node as SourceItem),
    "agentMemory.ignoreSource": (node) => sources.ignore(node as SourceItem),
    "agentMemory.openWalkthrough": () =>
      vscode.commands.executeCommand(
        "workbench.action.openWalkthrough",
        `${context.extension.id}#agentMemory.start`,
      ),
    "agentMemory.openUserMemory": () => openMemory(server, "user"),
    "agentMemory.openProjectMemory": () => openMemory(server, "project"),
    "agentMemory.restartServer": () => server.restart(),
    "agentMemory.showLogs": () => {
      server.log.show();
    },
    "agentMemory.copyDebugInformation": () => copyDebugInformation(server, context.extension),
  };
}

/** A code lens names the file it stands above; menus give the file as something else. */
function isPlace(value: unknown): value is { uri: string } {
  return typeof value === "object" && value !== null && "uri" in value && typeof value.uri === "string";
}

/** Register all; a command that fails says why instead of failing silently. */
export function registerCommands(parts: Parts): vscode.Disposable[] {
  return Object.entries(handlers(parts)).map(([name, handler]) =>
    vscode.commands.registerCommand(name, async (...args: unknown[]) => {
      try {
        return await handler(...args);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        parts.server.log.error(`${name}: ${reason}`);
        void vscode.window.showErrorMessage(t("Agent Memory: {0}", reason));
        return undefined;
      }
    }),
  );
}
