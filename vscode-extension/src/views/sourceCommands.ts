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
    "agentMemory.createSource": (node) => sources.create(node),
    "agentMemory.moveSource": (node) => sources.move(node),
    "agentMemory.openSource": (node) => openBesidePreview(sources.uri(node)),
    "agentMemory.openSourceToSide": (node) => openToSide(sources.uri(node)),
    "agentMemory.revealSource": (node) => reveal(sources.uri(node)),
    "agentMemory.copySourcePath": (node) => copyPath(sources.uri(node)),
    "agentMemory.copySourceRelativePath": (node) => copyRelativePath(sources.uri(node)),
    "agentMemory.previewFromSource": (node) => {
      previews.show({ uri: sources.uri(node).toString() });
    },
    "agentMemory.explainSource": (node) => explainFile(server, previews, sources.selected(node).source.uri),
    "agentMemory.applySourceAction": (node) => {
      const { action, source } = sources.selected(node);
      return action && applyAction(action, source.uri, previews);
    },
    "agentMemory.hideSource": (node) => sources.hide(node),
  };
}
