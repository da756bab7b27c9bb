/** Lets a language model save an item, after the user has seen the item and its place. */
import * as vscode from "vscode";
import { t } from "../l10n";
import type { RememberParams, RememberPlan, Scope } from "../protocol";
import { rememberRequest } from "../protocol";
import { applyPlan } from "../remember/apply";
import { currentContext } from "../requestContext";
import type { LanguageServer } from "../server/server";
import type { Invocation, Prepared, Tool } from "./api";

export interface RememberInput {
  text: string;
  scope?: Scope;
  section?: string;
}

export class RememberTool implements Tool<RememberInput> {
  constructor(private readonly server: LanguageServer) {}

  async prepareInvocation({ input }: Invocation<RememberInput>): Promise<Prepared> {
    const plan = await this.plan(input);
    return {
      invocationMessage: t("Saving to memory"),
      confirmationMessages:
        plan?.outcome === "ready"
          ? { title: t("Save to {0}?", plan.place), message: [plan.item, ...plan.notes, ...evicted(plan)].join("\n\n") }
          : { title: t("Remember This"), message: plan?.message ?? t("The server isn't running.") },
    };
  }

  async invoke({ input }: Invocation<RememberInput>): Promise<string> {
    if (!vscode.workspace.isTrusted) {
      return "Not saved: this workspace is not trusted.";
    }
    const plan = await this.plan(input);
    if (plan?.outcome !== "ready") {
      return plan ? `Not saved: ${plan.message}` : "Not saved: the server is not running.";
    }
    const client = await this.server.ensure();
    const edit = await client?.protocol2CodeConverter.asWorkspaceEdit(plan.edit);
    const isSaved = edit && (await applyPlan(plan, edit, this.server.log));
    return isSaved ? plan.message : "Not saved: the file changed meanwhile. Try again.";
  }

  /** Creating the project's folder is part of what the user confirms. */
  private plan({ text, scope = "project", section }: RememberInput): Promise<RememberPlan | undefined> {
    const place: Pick<RememberParams, "section"> = section ? { section } : {};
    return this.server.request(rememberRequest, {
      text,
      scope,
      ...place,
      ...currentContext(),
      create: true,
      byAgent: true,
    });
  }
}

function evicted({ evicts }: RememberPlan): string[] {
  return evicts.length === 0 ? [] : [t("Removed to make room:"), evicts.join("\n")];
}
