/** Every command, by the name the manifest gives it. */
import * as vscode from "vscode";
import { copyDebugInformation } from "./debugInformation";
import { t } from "./l10n";
import { openMemory } from "./openMemory";
import { pickAgent, pickRuntime } from "./pickers";
import type { LineContext, PreviewPanels } from "./preview/panel";
import { rememberSelection } from "./remember/remember";
import type { LanguageServer } from "./server/server";

export interface Parts {
  context: vscode.ExtensionContext;
  server: LanguageServer;
  previews: PreviewPanels;
}

type Handler = (...args: unknown[]) => unknown;

export function handlers({ context, server, previews }: Parts): Record<string, Handler> {
  return {
    "agentMemory.rememberInProject": () => rememberSelection(server, "project"),
    "agentMemory.rememberInUser": () => rememberSelection(server, "user"),
    "agentMemory.rememberChoose": () => rememberSelection(server, undefined),
    "agentMemory.previewPrompt": () => {
      previews.show();
    },
    "agentMemory.openPromptText": () => previews.openText(),
    "agentMemory.explainLine": (at) => {
      previews.explain(at as LineContext);
    },
    "agentMemory.goToSource": (at) => previews.goToSource(at as LineContext),
    "agentMemory.pickRuntime": () => pickRuntime(server),
    "agentMemory.pickAgent": () => pickAgent(server),
    "agentMemory.openUserMemory": () => openMemory(server, "user"),
    "agentMemory.openProjectMemory": () => openMemory(server, "project"),
    "agentMemory.restartServer": () => server.restart(),
    "agentMemory.showLogs": () => {
      server.log.show();
    },
    "agentMemory.copyDebugInformation": () => copyDebugInformation(server, context.extension),
  };
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
