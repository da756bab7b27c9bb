/** "Remember This": saves selected or typed text as an item of a memory file. */
import * as vscode from "vscode";
import { confirmsItems } from "../configuration";
import { asSentence, t } from "../l10n";
import type { RememberParams, RememberPlan, Scope } from "../protocol";
import { rememberRequest } from "../protocol";
import type { LanguageServer } from "../server/server";
import { applyPlan, openTarget } from "./apply";
import { chooseFile } from "./chooseFile";
import { chooseSection, pickSection } from "./chooseSection";
import { confirmItem } from "./confirm";
import type { RememberResult, RememberUi } from "./flow";
import { remember } from "./flow";
import type { Snippet } from "./snippet";
import { selectedOrTyped, terminalSelection } from "./snippet";

type Goal = Scope | "file" | "section";

/** Save the selection, or typed text, in the memory file of a scope, or where the user chooses. */
export async function rememberSelection(server: LanguageServer, goal: Goal): Promise<RememberResult> {
  const snippet = await selectedOrTyped(titleOf(goal));
  return snippet ? save(server, snippet, goal) : "canceled";
}

/** Save the selection of the terminal in project memory, unless the user chooses another place. */
export async function rememberTerminalSelection(server: LanguageServer): Promise<RememberResult> {
  const snippet = await terminalSelection();
  if (!snippet) {
    void vscode.window.showInformationMessage(t("Select text in the terminal first."));
    return "canceled";
  }
  return save(server, snippet, "project");
}

async function save(server: LanguageServer, snippet: Snippet, goal: Goal): Promise<RememberResult> {
  const ui = new EditorUi(server);
  const choice =
    goal === "section"
      ? await chooseSection(ui, snippet)
      : goal === "file"
        ? await chooseFile(server)
        : { scope: goal };
  return choice ? remember({ ...snippet, ...choice }, ui) : "canceled";
}

function titleOf(goal: Goal): string {
  return goal === "project" ? t("Remember in Project Memory") : goal === "user" ? t("Remember in User Memory") : t("Remember This");
}

class EditorUi implements RememberUi {
  readonly onConfirm = confirmsItems() ? this.confirm.bind(this) : undefined;

  constructor(private readonly server: LanguageServer) {}

  private async confirm(plan: RememberPlan, request: RememberParams): Promise<Partial<RememberParams> | undefined> {
    return confirmItem(plan, async () => {
      if (!request.file) {
        return chooseSection(this, request);
      }
      const section = await pickSection(plan.sections);
      return section === undefined ? undefined : { section };
    });
  }

  async plan(params: RememberParams): Promise<RememberPlan | undefined> {
    return this.server.request(rememberRequest, params);
  }

  async apply(plan: RememberPlan): Promise<boolean> {
    const client = await this.server.ensure();
    const edit = await client?.protocol2CodeConverter.asWorkspaceEdit(plan.edit);
    return edit ? applyPlan(plan, edit, this.server.log) : false;
  }

  async open(plan: RememberPlan): Promise<void> {
    await openTarget(plan);
  }

  async onDuplicate(plan: RememberPlan): Promise<"open" | "anyway" | undefined> {
    const open = t("Open");
    const anyway = t("Save Anyway");
    const choice = await vscode.window.showInformationMessage(asSentence(plan.message), open, anyway);
    return choice === open ? "open" : choice === anyway ? "anyway" : undefined;
  }

  async onSecret(plan: RememberPlan): Promise<"redact" | undefined> {
    const redact = t("Save with Secret Redacted");
    const choice = await vscode.window.showWarningMessage(asSentence(plan.message), redact);
    return choice === redact ? "redact" : undefined;
  }

  async onConsent(plan: RememberPlan): Promise<"create" | undefined> {
    const create = t("Create");
    const choice = await vscode.window.showInformationMessage(
      asSentence(plan.message),
      { modal: true, detail: t("Nothing is written until you confirm.") },
      create,
    );
    return choice === create ? "create" : undefined;
  }

  async onEvicts(plan: RememberPlan): Promise<"evict" | undefined> {
    const save = t("Save");
    const choice = await vscode.window.showWarningMessage(
      asSentence(plan.message),
      { modal: true, detail: plan.evicts.join("\n") },
      save,
    );
    return choice === save ? "evict" : undefined;
  }

  async onRefused(message: string): Promise<void> {
    await vscode.window.showWarningMessage(asSentence(message));
  }
}
