// The walkthrough images in English and German. Check them in .cache/shots/walkthrough-LANGUAGE,
// then copy them to vscode-extension/walkthrough and vscode-extension/walkthrough/de.
import { GALLERY_REQUEST, GERMAN } from "../lib/german.mjs";
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";

const MEMORY = ".deepagents/agent.md";
const OPTIONS = {
  ...PROJECT,
  workspace: { ...PROJECT.workspace, "agent.md": "# Tides\n\n- Read the gauge hourly\n" },
  viewport: { width: 1500, height: 860 },
  settings: {
    "workbench.colorTheme": "Dark Modern",
    "workbench.activityBar.location": "hidden",
    "breadcrumbs.enabled": false,
    "editor.wordWrap": "on",
  },
};
const LANGUAGES = {
  en: {
    options: OPTIONS,
    view: "Sources",
    unread: "Not read",
    menu: ["Remember This", "In Project Memory"],
    added: "Added to Project Memory",
    preview: "Preview Prompt",
  },
  de: {
    options: { ...OPTIONS, language: GERMAN, expectedErrors: GALLERY_REQUEST },
    view: "Quellen",
    unread: "Nicht gelesen",
    menu: ["Merken", "Im Projektgedächtnis"],
    added: "Hinzugefügt: Projektgedächtnis",
    preview: "Prompt-Vorschau öffnen",
  },
};

for (const [language, text] of Object.entries(LANGUAGES)) {
  const title = `the walkthrough images (${language})`;
  journey(`walkthrough-${language}`, title, text.options, (here) => takeImages(here, text));
}

async function takeImages({ vscode, page, shot }, text) {
  await vscode.enter();
  await vscode.trust();
  await vscode.command(`Agent Memory: Focus on ${text.view} View`);
  await page.locator(".sidebar .monaco-list-row", { hasText: text.unread }).waitFor();
  await page.mouse.move(700, 500);
  await shot("sources", { x: 0, y: 30, width: 300, height: 180 });
  await vscode.command("View: Close Primary Side Bar");
  await page.setViewportSize({ width: 1060, height: 860 });

  await vscode.open("src/tides.py");
  await vscode.selectLines(3);
  await vscode.contextMenu("The gauge is read", text.menu, () =>
    shot("remember", { x: 0, y: 30, width: 1000, height: 360 }),
  );
  await vscode.notification(text.added).waitFor();
  await vscode.command("Notifications: Clear All Notifications");
  await vscode.command("View: Close All Editors");

  await page.setViewportSize({ width: 760, height: 620 });
  await vscode.open(MEMORY);
  await vscode.squiggle("error").waitFor();
  await vscode.showProblems();
  await vscode.problem("AM107").waitFor();
  await page.mouse.move(600, 530);
  await page.waitForTimeout(500);
  await shot("problems", { x: 0, y: 30, width: 760, height: 450 });
  await vscode.command("View: Hide Panel");
  await page.setViewportSize({ width: 1060, height: 860 });

  await vscode.command(`Agent Memory: ${text.preview}`);
  await vscode.panel.locator(".line").first().waitFor();
  await page.waitForTimeout(1_000);
  await shot("preview", { x: 530, y: 30, width: 530, height: 600 });
}
