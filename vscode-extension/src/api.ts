/** What other extensions may use; documented in docs/extension-api.md. */
import type * as vscode from "vscode";
import type { Changed, Prompt, PromptParams } from "./protocol";
import { promptRequest } from "./protocol";
import type { LanguageServer } from "./server/server";

export interface AgentMemoryApi {
  /** Grows when something is added; what is there stays. */
  readonly version: 1;
  /**
   * The prompt an agent receives, with secrets masked.
   *
   * Rejects with a readable message where runtime or agent cannot be used, or no server runs.
   */
  getPrompt(place?: Pick<PromptParams, "uri" | "runtime" | "agent" | "saved">): Promise<Prompt>;
  /** Fires when the prompt or its sources changed, on disk or in an editor. */
  readonly onDidChange: vscode.Event<Changed>;
}

export function makeApi(server: LanguageServer): AgentMemoryApi {
  return {
    version: 1,
    async getPrompt(place = {}) {
      const { uri, runtime, agent, saved } = place;
      // Only these are passed on: another extension cannot have secrets revealed.
      const params = { uri, runtime, agent, saved };
      const prompt = await server.request(promptRequest, withoutUndefined(params));
      if (!prompt) {
        throw new Error("The Agent Memory server does not run.");
      }
      return prompt;
    },
    onDidChange: server.onDidChange,
  };
}

function withoutUndefined(values: Readonly<Record<string, unknown>>): PromptParams {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
