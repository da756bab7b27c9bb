/** The used part of the editor's API for language model tools, which is newer than our types. */
import * as vscode from "vscode";

export interface Invocation<T> {
  input: T;
}

export interface Prepared {
  invocationMessage: string;
  confirmationMessages?: { title: string; message: string };
}

export interface Tool<T> {
  prepareInvocation(options: Invocation<T>): Promise<Prepared> | Prepared;
  /** The text for the model. */
  invoke(options: Invocation<T>): Promise<string>;
}

interface NewerApi {
  lm?: {
    registerTool?<T>(
      name: string,
      tool: { prepareInvocation(options: Invocation<T>): unknown; invoke(options: Invocation<T>): Promise<object> },
    ): vscode.Disposable;
  };
  LanguageModelToolResult?: new (parts: object[]) => object;
  LanguageModelTextPart?: new (text: string) => object;
}

/** Register a tool that answers with text; nothing happens in an editor without tools. */
export function registerTool<T>(name: string, tool: Tool<T>): vscode.Disposable {
  const { lm, LanguageModelToolResult: Result, LanguageModelTextPart: TextPart } = vscode as unknown as NewerApi;
  if (!lm?.registerTool || !Result || !TextPart) {
    return new vscode.Disposable(() => undefined);
  }
  return lm.registerTool<T>(name, {
    prepareInvocation: (options) => tool.prepareInvocation(options),
    invoke: async (options) => new Result([new TextPart(await tool.invoke(options))]),
  });
}
