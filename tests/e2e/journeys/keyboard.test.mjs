// The whole main job with the keyboard: find a problem, fix it, remember, preview, go to the source.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { HIDDEN_LINE, PROJECT } from "../lib/project.mjs";
import { until } from "../lib/sandbox.mjs";

const MEMORY = ".deepagents/agent.md";

journey("keyboard", "the main job needs no mouse", PROJECT, async (here) => {
  const { vscode, page, sandbox, shot } = here;
  await vscode.enter();
  await vscode.trust();
  await vscode.open(MEMORY);
  await vscode.squiggle("error").waitFor();

  // To the problem with F8, its fix with the quick fix key.
  await page.keyboard.press("F8");
  await page.locator(".marker-widget", { hasText: "AM" }).waitFor();
  await shot("1-problem");
  await page.keyboard.press("Escape");
  await vscode.goTo(HIDDEN_LINE, 34);
  await vscode.quickFix("Remove the hidden");
  await page.locator(".action-widget .monaco-list-row.focused", { hasText: "Remove the hidden" }).waitFor();
  await shot("2-fix");
  await page.keyboard.press("Enter");
  await until("the fix", async () => !(await page.locator(".squiggly-error").count()));
  await vscode.save();
  assert.equal(sandbox.read(MEMORY).includes("\u200b"), false);

  // Remember a comment with the default key.
  await vscode.open("src/tides.py");
  await vscode.selectLines(3);
  await page.keyboard.press("Control+k");
  await page.keyboard.press("Control+Shift+m");
  await vscode.saveItem("Save to Project Memory");
  await until("the item is on disk", () => sandbox.read(MEMORY).includes("- The gauge is read at the full hour"));
  await shot("3-remembered");

  // The preview with its default key; Tab reaches a line, Enter opens its source.
  await vscode.open(MEMORY);
  await page.keyboard.press("Control+k");
  await page.keyboard.press("Control+Shift+v");
  const line = vscode.panel.locator(".line", { hasText: "The gauge is read" });
  await line.waitFor();
  await page.keyboard.press("Control+2"); // the second group, where the preview is
  await until("a line of the preview has the focus", async () => {
    await page.keyboard.press("Tab");
    return (await vscode.panel.locator(".line:focus").count()) > 0;
  });
  await page.keyboard.press("End");
  await shot("4-preview");
  await page.keyboard.press("Enter");
  await page.locator(".tabs-container .tab", { hasText: "agent.md" }).first().waitFor();
  await shot("5-source");
});
