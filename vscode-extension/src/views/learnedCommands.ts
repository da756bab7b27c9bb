/** The commands of the Learned view, by their name in the manifest. */
import * as vscode from "vscode";
import type { Handler } from "../commands";
import type { LearnedView } from "./learned";
import { openBesidePreview } from "./sourceActions";

export function learnedHandlers(learned: LearnedView): Record<string, Handler> {
  return {
    "agentMemory.filterLearned": () => learned.chooseFilter(),
    "agentMemory.clearLearnedFilter": () => {
      learned.show({}, false);
    },
    "agentMemory.showLearnedTrash": () => {
      learned.show({}, true);
    },
    "agentMemory.hideLearnedTrash": () => {
      learned.show({}, false);
    },
    "agentMemory.editEntry": (...row) => openBesidePreview(vscode.Uri.parse(learned.selected(row).uri)),
    "agentMemory.promoteEntryToProject": (...row) => learned.promote(row, "project"),
    "agentMemory.promoteEntryToUser": (...row) => learned.promote(row, "user"),
    "agentMemory.forgetEntry": (...row) => learned.forget(row),
    "agentMemory.restoreEntry": (...row) => learned.restore(row),
  };
}
