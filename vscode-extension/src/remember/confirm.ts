/** Shows an item and its place before it is saved: Enter saves, Escape cancels, both can be changed. */
import * as vscode from "vscode";
import { t } from "../l10n";
import type { RememberParams, RememberPlan } from "../protocol";
import { draftOf, textOf } from "./draft";

type Changes = Partial<RememberParams>;

/** "place": the user wants another section; a number: wants to edit the item at this index. */
type Answer = Changes | "place" | number | undefined;

/** What the user changed, {} for nothing; undefined on Escape. */
export async function confirmItem(
  plan: RememberPlan,
  choosePlace: () => Promise<Changes | undefined>,
): Promise<Changes | undefined> {
  for (;;) {
    const answer = await askOnce(plan);
    if (answer !== "place") {
      return answer;
    }
    const place = await choosePlace();
    if (place) {
      return place;
    }
  }
}

async function askOnce(plan: RememberPlan): Promise<Changes | "place" | undefined> {
  const draft = draftOf(plan.item);
  switch (draft.kind) {
    case "line":
      return editLine(plan, draft.text);
    case "list":
      return selectItems(plan, draft.items, draft.numbered);
    case "block":
      return showBlock(plan, draft.lines);
  }
}

async function editLine(plan: RememberPlan, text: string): Promise<Changes | "place" | undefined> {
  const input = vscode.window.createInputBox();
  input.title = t("Save to {0}", plan.place);
  input.value = text;
  // Without a message, the editor itself says which keys confirm and cancel.
  input.validationMessage = plan.notes.length > 0 ? { message: hintOf(plan), severity: vscode.InputBoxValidationSeverity.Info } : undefined;
  const answer = await ask(input, () => {
    const value = input.value.trim();
    return value === "" ? undefined : value === text ? {} : changed([value], false);
  });
  return typeof answer === "number" ? undefined : answer;
}

/** One row per item: those that are checked are saved, and each can be edited. */
async function selectItems(
  plan: RememberPlan,
  original: readonly string[],
  numbered: boolean,
): Promise<Changes | "place" | undefined> {
  let rows = original.map((label) => ({ label, isChosen: true }));
  for (;;) {
    const pick = vscode.window.createQuickPick();
    pick.title = t("Save {0} items to {1}", original.length, plan.place);
    pick.placeholder = hintOf(plan);
    pick.canSelectMany = true;
    const edit = { iconPath: new vscode.ThemeIcon("edit"), tooltip: t("Edit") };
    const items = rows.map(({ label }) => ({ label, buttons: [edit] }));
    pick.items = items;
    pick.selectedItems = items.filter((_, index) => rows[index]?.isChosen);
    const read = () => items.map((item) => ({ label: item.label, isChosen: pick.selectedItems.includes(item) }));
    const answer = await ask(pick, () => {
      const chosen = read().filter((row) => row.isChosen).map((row) => row.label);
      const isSame = chosen.length === original.length && chosen.every((label, index) => label === original[index]);
      return chosen.length === 0 ? undefined : isSame ? {} : changed(chosen, numbered);
    }, (index) => {
      rows = read();
      return index;
    });
    if (typeof answer !== "number") {
      return answer;
    }
    const label = await vscode.window.showInputBox({ value: rows[answer]?.label ?? "", title: pick.title });
    rows = rows.map((row, index) => (index === answer && label?.trim() ? { ...row, label: label.trim() } : row));
  }
}

async function showBlock(plan: RememberPlan, lines: readonly string[]): Promise<Changes | "place" | undefined> {
  const pick = vscode.window.createQuickPick();
  pick.title = t("Save to {0}", plan.place);
  pick.placeholder = hintOf(plan);
  pick.items = [
    { label: `$(check) ${t("Save")}`, alwaysShow: true },
    { label: "", kind: vscode.QuickPickItemKind.Separator },
    ...lines.filter((line) => line.trim() !== "").map((label) => ({ label })),
  ];
  const answer = await ask(pick, () => ({}));
  return typeof answer === "number" ? undefined : answer;
}

/** The text is now the user's own: its origin no longer decides whether it is code. */
function changed(items: readonly string[], numbered: boolean): Changes {
  return { text: textOf(items, numbered), origin: undefined };
}

/** Show `input` until the user accepts, cancels or presses a button. */
function ask(
  input: vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>,
  accepted: () => Answer,
  edited: (index: number) => number = (index) => index,
): Promise<Answer> {
  input.buttons = [{ iconPath: new vscode.ThemeIcon("list-tree"), tooltip: t("Choose Section…") }];
  input.ignoreFocusOut = true;
  return new Promise<Answer>((resolve) => {
    const end = (answer: Answer) => {
      resolve(answer); // the first answer counts: hiding the input answers too
      input.dispose();
    };
    input.onDidAccept(() => {
      end(accepted());
    });
    input.onDidTriggerButton(() => {
      end("place");
    });
    input.onDidHide(() => {
      end(undefined);
    });
    if ("items" in input) {
      input.onDidTriggerItemButton(({ item }) => {
        end(edited(input.items.indexOf(item)));
      });
    }
    input.show();
  });
}

function hintOf({ notes }: RememberPlan): string {
  return [...notes, t("Enter saves, Escape cancels.")].join(". ");
}
