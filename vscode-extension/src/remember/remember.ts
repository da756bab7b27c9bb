/** "Remember This": saves the selection of any editor as an item of project or user memory. */
import * as vscode from "vscode";
import { t } from "../l10n";
import type { RememberParams, RememberPlan, Scope } from "../protocol";
import { rememberRequest } from "../protocol";
import type { LanguageServer } from "../server/server";
import { applyPlan, openTarget } from "./apply";
import { chooseFile } from "./chooseFile";
import { chooseSection } from "./chooseSection";
import type { RememberResult, RememberUi } from "./flow";
import { remember } from "./flow";

/** Save the selection in the memory file of a scope, or in a file or section the user selects. */
export async function rememberSelection(
  server: LanguageServer,
  target: Scope | "file" | "section",
): Promise<RememberResult> {
  const snippet = selection();
  if (!snippet) {
    void vscode.window.showInformationMessage(t("Select the text to remember first."));
    return "cancelled";
  }
  const ui = new EditorUi(server);
  const choice =
    target === "section"
      ? await chooseSection(ui, snippet)
      : target === "file"
        ? await chooseFile(server)
        : { scope: target };
  return choice ? remember({ ...snippet, ...choice }, ui) : "cancelled";
}

function selection(): Pick<RememberParams, "text" | "origin" | "uri"> | undefined {
  const editor = vscode.window.activeTextEditor;
  const ranges = editor?.selections.filter((item) => !item.isEmpty) ?? [];
  const [first] = ranges;
  if (!editor || !first) {
    return undefined;
  }
  const { document } = editor;
  const uri = document.uri.toString();
  return {
    text: ranges.map((item) => document.getText(item)).join("\n"),
    uri,
    origin: {
      uri,
      range: {
        start: { line: first.start.line, character: first.start.character },
        end: { line: first.end.line, character: first.end.character },
      },
      languageId: document.languageId,
    },
  };
}

class EditorUi implements RememberUi {
  constructor(private readonly server: LanguageServer) {}

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
    const choice = await vscode.window.showInformationMessage(plan.message, open, anyway);
    return choice === open ? "open" : choice === anyway ? "anyway" : undefined;
  }

  async onSecret(plan: RememberPlan): Promise<"redact" | undefined> {
    const redact = t("Save with Secret Redacted");
    const choice = await vscode.window.showWarningMessage(plan.message, redact);
    return choice === redact ? "redact" : undefined;
  }

  async onConsent(plan: RememberPlan): Promise<"create" | undefined> {
    const create = t("Create");
    const choice = await vscode.window.showInformationMessage(
      plan.message,
      { modal: true, detail: t("Nothing is written until you confirm.") },
      create,
    );
    return choice === create ? "create" : undefined;
  }

  async onEvicts(plan: RememberPlan): Promise<"evict" | undefined> {
    const save = t("Save");
    const choice = await vscode.window.showWarningMessage(
      plan.message,
      { modal: true, detail: plan.evicts.join("\n") },
      save,
    );
    return choice === save ? "evict" : undefined;
  }

  async onRefused(message: string): Promise<void> {
    await vscode.window.showWarningMessage(message);
  }
}
