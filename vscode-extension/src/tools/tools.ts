/** The tools for the language models of the editor: remember, recall and explain memory. */
import type * as vscode from "vscode";
import type { LanguageServer } from "../server/server";
import { registerTool } from "./api";
import { ExplainTool } from "./explainTool";
import { RecallTool } from "./recallTool";
import { RememberTool } from "./rememberTool";

export function registerTools(server: LanguageServer): vscode.Disposable[] {
  return [
    registerTool("agent_memory_remember", new RememberTool(server)),
    registerTool("agent_memory_recall", new RecallTool(server)),
    registerTool("agent_memory_explain", new ExplainTool(server)),
  ];
}
