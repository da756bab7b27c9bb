// A window without a folder: the view offers actions, and user memory opens.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { journey } from "../lib/journey.mjs";
import { ROOT } from "../lib/paths.mjs";
import { PROJECT } from "../lib/project.mjs";

const extension = (name) =>
  JSON.parse(fs.readFileSync(path.join(ROOT, "vscode-extension", name), "utf8"));
const [welcome] = extension("package.json").contributes.viewsWelcome;
const words = extension("package.nls.json")[welcome.contents.slice(1, -1)];

journey("no-folder", "without a folder the view offers actions", PROJECT, async (here) => {
  const { vscode, page, shot } = here;
  await vscode.enter(null);
  await page.locator('.activitybar [aria-label^="Agent Memory"]').first().click();
  const pane = page.locator(".sidebar .pane", { hasText: "Sources" }).first();
  const links = [...words.matchAll(/\[([^\]]+)\]\(/g)].map(([, label]) => label);
  assert.ok(links.includes("Open User Memory"));
  for (const label of links) {
    await pane.locator(".monaco-button", { hasText: label }).waitFor();
  }
  await shot("1-welcome");
  await pane.locator(".monaco-button", { hasText: "Open User Memory" }).click();
  await vscode.line("Short answers").waitFor();
  await shot("2-user-memory");
});
