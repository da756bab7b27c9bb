// German display language: commands, menus, views, settings, the panel and server messages.
import assert from "node:assert/strict";
import { GALLERY_REQUEST, englishSentences, GERMAN } from "../lib/german.mjs";
import { journey } from "../lib/journey.mjs";
import { example } from "../lib/project.mjs";

const MEMORY = ".deepagents/agent.md";
const options = {
  ...example(),
  language: GERMAN,
  expectedErrors: GALLERY_REQUEST,
  settings: { "workbench.editor.useModal": "off" },
};

journey("german", "the extension follows VS Code's display language", options, async (here) => {
  const { vscode, page, shot } = here;
  await vscode.enter();
  await vscode.trust();

  // In a memory file: code lens, findings, quick fixes, hover.
  await vscode.open(MEMORY);
  await page.getByText(/Token.*2\. von 2/).first().waitFor();
  await vscode.showProblems();
  await vscode.problem("AM107").waitFor();
  await shot("1-findings");
  inGerman(await page.locator(".markers-panel .monaco-list-row").allTextContents());
  await vscode.goTo(10, 48);
  const hover = await vscode.hoverAtCursor();
  await hover.getByText("AM503").first().waitFor();
  await shot("2-hover");
  await page.keyboard.press("Escape");
  await vscode.quickFix("AM503");
  const action = page.locator(".action-widget .monaco-list-row");
  await shot("3-quick-fixes");
  inGerman(await action.allTextContents());
  await page.keyboard.press("Escape");
  await vscode.command("View: Hide Panel");

  // The Sources view: groups, statuses, actions.
  await page.locator('.activitybar [aria-label^="Agent Memory"]').first().click();
  const rows = page.locator(".sidebar .monaco-list-row");
  await rows.filter({ hasText: "Beim Start geladen" }).waitFor();
  await page.locator(".sidebar .pane-header", { hasText: "Gelerntes" }).waitFor();
  const unread = rows.filter({ hasText: /^agent\.md[\d.]+ Tok\.$/ });
  const menu = page.locator(".monaco-menu .action-label:not(.separator)");
  await vscode.click(unread, menu.filter({ hasText: "Aus dieser Liste ausblenden" }), { button: "right" });
  await shot("4-sources");
  inGerman(await menu.allTextContents());
  await page.keyboard.press("Escape");
  inGerman(await rows.locator(".monaco-icon-description-container").allTextContents());

  // Remember This: menu and notification.
  await vscode.open("src/tides.py");
  await vscode.selectLines(27);
  await vscode.contextMenu("The gauge is read", ["Merken", "Im Projektgedächtnis"], () =>
    shot("5-menu"),
  );
  await vscode.saveItem("Speichern: Projektgedächtnis");
  const done = vscode.notification("Hinzugefügt: Projektgedächtnis");
  await done.waitFor();
  await done.getByRole("button", { name: "Rückgängig" }).waitFor();
  await shot("6-saved");
  await vscode.command("Notifications: Clear All Notifications");

  // Quick picks and the command palette.
  await vscode.command("Agent Memory: Laufzeit auswählen");
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "Claude MPM" }).waitFor();
  await shot("7-runtimes");
  await page.keyboard.press("Escape");
  await page.keyboard.press("F1");
  await vscode.pickInput.fill(">Agent Memory");
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "Debuginformationen kopieren" }).waitFor();
  await shot("8-commands");
  await page.keyboard.press("Escape");
  await vscode.command("Agent Memory: Debuginformationen kopieren");
  await vscode.notification("Versionen, Einstellungen und Ordnerpfade kopiert").waitFor();
  await vscode.command("Notifications: Clear All Notifications");

  // Settings and the walkthrough.
  await vscode.command("Preferences: Open Settings (UI)");
  await page.locator(".settings-editor .monaco-editor.focused").first().waitFor();
  await page.keyboard.type("@ext:agent-memory.agent-memory");
  await page.getByText("Geschätzte Höchstgröße des Prompts").first().waitFor();
  await shot("9-settings");
  await vscode.command("Agent Memory: Erste Schritte");
  await page.locator(".getting-started-step", { hasText: "Alle Quellen sehen" }).waitFor();
  await page.waitForTimeout(1_000); // until its image is rendered
  await shot("10-walkthrough");
  await vscode.command("View: Close All Editors");

  // The panel, at its usual width and at 400 px: nothing is clipped and nothing is English.
  await vscode.command("View: Close Primary Side Bar");
  await vscode.open(MEMORY);
  await vscode.command("Agent Memory: Prompt-Vorschau öffnen");
  await vscode.panel.locator(".line").first().waitFor();
  await shot("11-panel");
  await page.setViewportSize({ width: 848, height: 900 });
  await page.waitForTimeout(1_000);
  const sizes = await vscode.panel.locator("html").evaluate((html) => ({
    width: html.clientWidth,
    wide: [...html.querySelectorAll("body *")]
      .filter((item) => item.getBoundingClientRect().right > html.clientWidth + 1)
      .map((item) => item.outerHTML.slice(0, 120)),
  }));
  assert.ok(sizes.width <= 400, `the panel is ${sizes.width} px wide`);
  assert.deepEqual(sizes.wide, []);
  await shot("12-narrow");
  await vscode.panel.locator(".line", { hasText: "Times are UTC" }).first().focus();
  await page.keyboard.press("w");
  await vscode.panel.getByText("Laufzeit: ").waitFor();
  await shot("13-why");
  const shown = await vscode.panel.locator("body").evaluate((body) =>
    [...body.querySelectorAll("*:not(script, style, .lines *, [data-picker='agent'] *)")].flatMap((item) => [
      ...[...item.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim()),
      ...["title", "aria-label"].map((name) => item.getAttribute(name) ?? ""),
    ]),
  );
  const english = new Set(englishSentences());
  assert.deepEqual(shown.filter((text) => english.has(text)), []);
  inGerman(shown);
});

/** No text contains typical English words, except quoted file contents and paths. */
function inGerman(texts) {
  assert.ok(texts.length > 0);
  const words = /\b(?:the|this|is|are|not|from|with|read|loaded|line|file)\b/i;
  const own = texts.map((text) => text.replaceAll(/„[^“]*“|`[^`]*`|\S*[/.]\S*/g, ""));
  assert.deepEqual(own.filter((text) => words.test(text)), []);
}
