/** Lets a language model see which memory files an agent reads, and why. */
import * as path from "node:path";
import * as vscode from "vscode";
import { errorMessage } from "../errors";
import { t } from "../l10n";
import { explainRequest, sourcesRequest } from "../protocol";
import { currentContext } from "../requestContext";
import type { LanguageServer } from "../server/server";
import type { Invocation, Prepared, Tool } from "./api";

export interface ExplainInput {
  /** A file, absolute or relative to the workspace folder; without one, all files. */
  path?: string;
  /** A line, from 1. */
  line?: number;
}

export class ExplainTool implements Tool<ExplainInput> {
  constructor(private readonly server: LanguageServer) {}

  prepareInvocation({ input }: Invocation<ExplainInput>): Prepared {
    return {
      invocationMessage: t("Looking up memory files"),
      confirmationMessages: {
        title: t("Explain memory?"),
        message: input.path
          ? t("What each agent does with {0} is sent to the language model, without its content.", input.path)
          : t("The paths of the memory files, and whether they are read, are sent to the language model."),
      },
    };
  }

  async invoke({ input }: Invocation<ExplainInput>): Promise<string> {
    return JSON.stringify(input.path ? await this.explain(input.path, input.line) : await this.sources());
  }

  private async explain(name: string, line: number | undefined): Promise<unknown> {
    const uri = toUri(name).toString();
    const place = line === undefined ? {} : { line: Math.max(0, line - 1) };
    try {
      return await this.server.request(explainRequest, { uri, ...place });
    } catch (error) {
      // A server of the environment may be older than this request.
      this.server.log.debug(`explain: ${errorMessage(error)}`);
      const known = await this.sources();
      const file = vscode.Uri.parse(uri).fsPath;
      return { ...known, files: known.files.filter((item) => item.path === file) };
    }
  }

  private async sources() {
    const known = await this.server.request(sourcesRequest, currentContext());
    const files = known?.sources.map(({ path: file, scope, status, reason, order, tokens }) => ({
      path: file, scope, status, reason, order, tokens,
    }));
    return { runtime: known?.title, reason: known?.runtimeReason, files: files ?? [] };
  }
}

function toUri(name: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  return path.isAbsolute(name) || !folder ? vscode.Uri.file(name) : vscode.Uri.joinPath(folder, name);
}
