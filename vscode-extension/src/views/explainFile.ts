/** "Why Is It Read or Not?": what each agent does with a file, and what to do about it. */
import * as vscode from "vscode";
import { t } from "../l10n";
import type { PreviewPanels } from "../preview/panels";
import type { Answer, Outcome } from "../protocol";
import { explainRequest } from "../protocol";
import type { LanguageServer } from "../server/server";
import { applyAction } from "./applyAction";

interface Row extends vscode.QuickPickItem {
  answer: Answer;
}

/** Show a row per agent; a selected row shows the file in the agent's prompt, or does its action. */
export async function explainFile(server: LanguageServer, previews: PreviewPanels, uri: string): Promise<void> {
  const explained = await server.request(explainRequest, { uri });
  if (!explained) {
    return;
  }
  const row = await vscode.window.showQuickPick(explained.runtimes.map(rowOf), {
    title: t("Why is {0} read or not?", explained.shown),
    placeHolder: explained.runtimesNote || t("Select an agent to see its prompt, or to apply the suggestion."),
    matchOnDetail: true,
  });
  if (!row) {
    return;
  }
  const { answer } = row;
  if (answer.action) {
    await applyAction(answer.action, uri, previews);
  } else {
    previews.explainFile(uri, answer.runtime);
  }
}

function rowOf(answer: Answer): Row {
  const { title, outcome, reason, action } = answer;
  const icon = isRead(outcome) ? "$(pass)" : "$(circle-slash)";
  const detail = [reason, action?.message ?? ""].filter(Boolean).join(" → ");
  return { label: `${icon} ${title}`, description: outcomeName(outcome), detail, answer };
}

function isRead(outcome: Outcome): boolean {
  return outcome === "loaded" || outcome === "on-demand";
}

export function outcomeName(outcome: Outcome): string {
  const names: Record<Outcome, string> = {
    loaded: t("loaded"),
    "on-demand": t("read on demand"),
    cut: t("cut"),
    "comment-dropped": t("comment, not sent"),
    "front-matter-dropped": t("front matter, not sent"),
    "not-followed": t("import, not followed"),
    shadowed: t("not read"),
    empty: t("empty"),
    missing: t("not created"),
    unreadable: t("unreadable"),
    "not-read": t("not read"),
  };
  return names[outcome];
}
