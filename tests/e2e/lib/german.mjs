// VS Code in German: the workbench texts that appear in the screenshots.
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
    "vs/editor/contrib/codeAction/browser/codeActionCommands": {
      "quickfix.trigger.label": "Schnelle Problembehebung…",
      "refactor.label": "Refactoring durchführen…",
    },
    "vs/editor/contrib/hover/browser/markerHoverParticipant": {
      "quick fixes": "Schnelle Problembehebung…",
      "view problem": "Problem anzeigen",
    },
    "vs/editor/contrib/clipboard/browser/clipboard": {
      "actions.clipboard.copyLabel": "Kopieren",
      "actions.clipboard.cutLabel": "Ausschneiden",
      "actions.clipboard.pasteLabel": "Einfügen",
    },
    "vs/editor/contrib/multicursor/browser/multicursor": { "changeAll.label": "Alle Vorkommen ändern" },
    "vs/platform/dialogs/common/dialogs": { cancelButton: "Abbrechen" },
    "vs/workbench/browser/parts/editor/textCodeEditor": { textEditor: "Texteditor" },
    "vs/workbench/common/editor": { "promptOpenWith.defaultEditor.displayName": "Texteditor" },
    "vs/workbench/browser/parts/editor/editorStatus": {
      singleSelection: "Zeile {0}, Spalte {1}",
      singleSelectionRange: "Zeile {0}, Spalte {1} ({2} ausgewählt)",
      spacesSize: "Leerzeichen: {0}",
    },
    "vs/workbench/browser/parts/notifications/notificationsViewer": { notificationSource: "Quelle: {0}" },
    "vs/workbench/contrib/debug/browser/debug.contribution": { debugPanel: "Debugging-Konsole" },
    "vs/workbench/contrib/markers/browser/messages": {
      "markers.panel.title.problems": "Probleme",
      "markers.panel.at.ln.col.number": "[Zeile {0}, Spalte {1}]",
    },
    "vs/workbench/contrib/outline/browser/outline.contribution": { name: "Gliederung" },
    "vs/workbench/contrib/output/browser/output.contribution": { output: "Ausgabe" },
    "vs/workbench/contrib/quickaccess/browser/quickAccess.contribution": {
      commandPalette: "Befehlspalette…",
    },
    "vs/workbench/contrib/timeline/browser/timelinePane": { timeline: "Zeitachse" },
    "vs/workbench/contrib/welcomeGettingStarted/browser/gettingStarted": { allDone: "Als erledigt markieren" },
    "vs/workbench/contrib/welcomeGettingStarted/browser/gettingStartedInput": { getStarted: "Willkommen" },
    "vs/workbench/services/preferences/common/preferencesEditorInput": {
      settingsEditor2InputName: "Einstellungen",
    },
  },
};

/** In a language other than English, VS Code requests language packs from the missing gallery. */
export const GALLERY_REQUEST = /Canceled: Canceled/;

/** The extension's English messages whose translation differs: none may be shown in German. */
export function englishSentences() {
  const bundle = path.join(ROOT, "vscode-extension", "l10n", "bundle.l10n.de.json");
  const words = Object.entries(JSON.parse(fs.readFileSync(bundle, "utf8")));
  return words.filter(([english, german]) => english !== german).map(([english]) => english);
}
