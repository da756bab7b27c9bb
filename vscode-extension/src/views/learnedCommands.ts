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
    "agentMemory.editEntry": (entry) => openBesidePreview(vscode.Uri.parse(learned.selected(entry).uri)),
    "agentMemory.promoteEntryToProject": (entry) => learned.promote(entry, "project"),
    "agentMemory.promoteEntryToUser": (entry) => learned.promote(entry, "user"),
    "agentMemory.forgetEntry": (entry) => learned.forget(entry),
    "agentMemory.restoreEntry": (entry) => learned.restore(entry),
  };
}
