/** The API for other extensions; documented in docs/extension-api.md. */
import type * as vscode from "vscode";
import type { ChangeEvent, Prompt, PromptParams } from "./protocol";
import { promptRequest } from "./protocol";
import type { LanguageServer } from "./server/server";

export interface AgentMemoryApi {
  /** Increased when something is added; nothing is removed. */
  readonly version: 1;
  /**
   * The prompt an agent receives, with secrets masked.
   *
   * Rejects with a message if the runtime or agent is invalid or no server runs.
   */
  getPrompt(options?: Pick<PromptParams, "uri" | "runtime" | "agent" | "saved">): Promise<Prompt>;
  /** Fires when the prompt or its sources change, on disk or in an editor. */
  readonly onDidChange: vscode.Event<ChangeEvent>;
}

export function createApi(server: LanguageServer): AgentMemoryApi {
  return {
    version: 1,
    async getPrompt(options = {}) {
      const { uri, runtime, agent, saved } = options;
      // Other parameters are dropped: another extension cannot reveal secrets.
      const params = { uri, runtime, agent, saved };
      const prompt = await server.request(promptRequest, withoutUndefined(params));
      if (!prompt) {
        throw new Error("The Agent Memory server isn't running.");
      }
      return prompt;
    },
    onDidChange: server.onDidChange,
  };
}

function withoutUndefined(values: Readonly<Record<string, unknown>>): PromptParams {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
