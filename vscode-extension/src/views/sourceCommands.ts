/** The commands of the Sources view, by their name in the manifest. */
import type { Handler } from "../commands";
import type { PreviewPanels } from "../preview/panels";
import type { LanguageServer } from "../server/server";
import { applyAction } from "./applyAction";
import { explainFile } from "./explainFile";
import { copyPath, copyRelativePath, openBesidePreview, openToSide, reveal } from "./sourceActions";
import type { SourcesView } from "./sources";

export function sourceHandlers(
  server: LanguageServer,
  previews: PreviewPanels,
  sources: SourcesView,
): Record<string, Handler> {
  return {
    "agentMemory.refreshSources": () => {
      sources.refresh();
    },
    "agentMemory.showHiddenSources": () => sources.showHidden(),
    "agentMemory.createSource": (...row) => sources.create(row),
    "agentMemory.moveSource": (...row) => sources.move(row),
    "agentMemory.openSource": (...row) => openBesidePreview(sources.uri(row)),
    "agentMemory.openSourceToSide": (...row) => openToSide(sources.uri(row)),
    "agentMemory.revealSource": (...row) => reveal(sources.uri(row)),
    "agentMemory.copySourcePath": (...row) => copyPath(sources.uri(row)),
    "agentMemory.copySourceRelativePath": (...row) => copyRelativePath(sources.uri(row)),
    "agentMemory.previewFromSource": (...row) => {
      previews.show({ uri: sources.uri(row).toString() });
    },
    "agentMemory.explainSource": (...row) => explainFile(server, previews, sources.selected(row).source.uri),
    "agentMemory.applySourceAction": (...row) => {
      const { action, source } = sources.selected(row);
      return action && applyAction(action, source.uri, previews);
    },
    "agentMemory.hideSource": (...row) => sources.hide(row),
  };
}
