/** "Remember This": the selection of any editor becomes an item of project or user memory. */
import * as vscode from "vscode";
import { t } from "../l10n";
import type { RememberParams, RememberPlan, Scope } from "../protocol";
import { rememberRequest } from "../protocol";
import type { LanguageServer } from "../server/server";
import { applyPlan, openTarget } from "./apply";
import type { RememberResult, RememberUi } from "./flow";
import { remember } from "./flow";
import { chooseFile } from "./files";
import type { SectionChoice } from "./sections";
import { sectionGroups } from "./sections";

/** File the selection in the memory of a scope, in a file or under a heading that the user chooses. */
export async function rememberSelection(
  server: LanguageServer,
  where: Scope | "file" | "section",
): Promise<RememberResult> {
  const snippet = selection();
  if (!snippet) {
    void vscode.window.showInformationMessage(t("Select the text to remember first."));
    return "cancelled";
  }
  const ui = new EditorUi(server);
  const place =
    where === "section"
      ? await chooseSection(ui, snippet)
      : where === "file"
        ? await chooseFile(server)
        : { scope: where };
  return place ? remember({ ...snippet, ...place }, ui) : "cancelled";
}

type Snippet = Pick<RememberParams, "text" | "origin" | "uri">;

function selection(): Snippet | undefined {
  const editor = vscode.window.activeTextEditor;
  const chosen = editor?.selections.filter((item) => !item.isEmpty) ?? [];
  const [first] = chosen;
  if (!editor || !first) {
    return undefined;
  }
  const { document } = editor;
  const uri = document.uri.toString();
  return {
    text: chosen.map((item) => document.getText(item)).join("\n"),
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

async function chooseSection(
  ui: EditorUi,
  snippet: Snippet,
): Promise<{ scope: Scope; section: string } | undefined> {
  const [project, user] = await Promise.all([
    ui.plan({ ...snippet, scope: "project" }),
    ui.plan({ ...snippet, scope: "user" }),
  ]);
  const items = sectionGroups({ project, user }).flatMap<
    vscode.QuickPickItem & Partial<SectionChoice>
  >((group) => [
    { label: group.title, kind: vscode.QuickPickItemKind.Separator },
    ...group.choices,
  ]);
  if (items.length === 0) {
    await ui.onRefused(project?.message ?? user?.message ?? t("The server does not run."));
    return undefined;
  }
  const choice = await vscode.window.showQuickPick(items, {
    title: t("Remember This"),
    placeHolder: t("The section to file it under"),
  });
  if (!choice?.scope) {
    return undefined;
  }
  const section = choice.section ?? (await nameSection());
  return section ? { scope: choice.scope, section } : undefined;
}

async function nameSection(): Promise<string | undefined> {
  const name = await vscode.window.showInputBox({
    title: t("Remember This"),
    prompt: t("The heading of the new section"),
    validateInput: (value) =>
      /[\r\n#]/.test(value) ? t("A heading is one line without #.") : undefined,
  });
  return name?.trim();
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
    const anyway = t("File It Anyway");
    const choice = await vscode.window.showInformationMessage(plan.message, open, anyway);
    return choice === open ? "open" : choice === anyway ? "anyway" : undefined;
  }

  async onSecret(plan: RememberPlan): Promise<"redact" | undefined> {
    const redact = t("File It Redacted");
    const choice = await vscode.window.showWarningMessage(plan.message, redact);
    return choice === redact ? "redact" : undefined;
  }

  async onConsent(plan: RememberPlan): Promise<"create" | undefined> {
    const create = t("Create");
    const choice = await vscode.window.showInformationMessage(
      plan.message,
      { modal: true, detail: t("Nothing is written before you agree.") },
      create,
    );
    return choice === create ? "create" : undefined;
  }

  async onEvicts(plan: RememberPlan): Promise<"evict" | undefined> {
    const file = t("File It");
    const choice = await vscode.window.showWarningMessage(
      plan.message,
      { modal: true, detail: plan.evicts.join("\n") },
      file,
    );
    return choice === file ? "evict" : undefined;
  }

  async onRefused(message: string): Promise<void> {
    await vscode.window.showWarningMessage(message);
  }
}
