// VS Code in German: the words of the workbench that stand in the pictures of the journeys.
import fs from "node:fs";
import path from "node:path";
import { ROOT } from "./paths.mjs";

export const GERMAN = {
  id: "de",
  texts: {
    "vs/editor/contrib/codeAction/browser/codeActionMenu": {
      "codeAction.widget.id.quickfix": "Schnelle Problembehebung",
      "codeAction.widget.id.move": "Verschieben",
      "codeAction.widget.id.more": "Weitere Aktionen…",
    },
    "vs/platform/dialogs/common/dialogs": { cancelButton: "Abbrechen" },
    "vs/workbench/browser/parts/editor/editor.contribution": { textEditor: "Texteditor" },
    "vs/workbench/browser/parts/editor/editorStatus": {
      singleSelection: "Zeile {0}, Spalte {1}",
      spacesSize: "Leerzeichen: {0}",
    },
    "vs/workbench/browser/parts/notifications/notificationsViewer": { notificationSource: "Quelle: {0}" },
    "vs/workbench/contrib/markers/browser/messages": {
      "markers.panel.title.problems": "Probleme",
      "markers.panel.at.ln.col.number": "[Zeile {0}, Spalte {1}]",
    },
    "vs/workbench/contrib/outline/browser/outline.contribution": { name: "Gliederung" },
    "vs/workbench/contrib/timeline/browser/timelinePane": { timeline: "Zeitachse" },
    "vs/workbench/contrib/welcomeGettingStarted/browser/gettingStarted": { allDone: "Als erledigt markieren" },
    "vs/workbench/services/preferences/common/preferencesEditorInput": {
      settingsEditor2InputName: "Einstellungen",
    },
  },
};

/** The sentences of the extension that German says in other words: none of them may be shown. */
export function englishSentences() {
  const bundle = path.join(ROOT, "vscode-extension", "l10n", "bundle.l10n.de.json");
  const words = Object.entries(JSON.parse(fs.readFileSync(bundle, "utf8")));
  return words.filter(([english, german]) => english !== german).map(([english]) => english);
}
