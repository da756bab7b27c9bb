// The view of sources: what is read, in which order, and what is not; and the search of entries.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { example } from "../lib/project.mjs";

journey("views", "the sources of the prompt and the learned entries", example(), async (here) => {
  const { vscode, page, shot } = here;
  await vscode.enter();
  await vscode.trust();
  await vscode.open(".deepagents/agent.md");
  await vscode.squiggle("error").waitFor();
  await page.locator('.activitybar [aria-label^="Agent Memory"]').first().click();
  const rows = page.locator(".sidebar .monaco-list-row");
  await rows.filter({ hasText: "agent.md" }).first().waitFor();
  await shot("1-sources");
  const shown = (await rows.allTextContents()).join("\n");
  assert.match(shown, /1st[^]*2nd[^]*Skills[^]*Not read[^]*agent.md/);
  await rows.filter({ hasText: "agent.md" }).first().click();
  await page.locator(".tab.active", { hasText: "agent.md" }).first().waitFor();

  // What agents filed, newest first; the one that is chosen opens.
  await page.locator(".sidebar .pane-header", { hasText: "Learned" }).click();
  const learned = rows.filter({ hasText: "gauge reading" });
  await learned.waitFor();
  await shot("2-learned");
  await learned.click();
  await vscode.line("A table of predictions alone").waitFor();
  await page.locator(".sidebar .pane-header", { hasText: "Learned" }).click();

  // The search follows what is typed.
  await vscode.command("Agent Memory: Search Learned Memory");
  await vscode.pickInput.waitFor();
  const found = page.locator(".quick-input-list .monaco-list-row", { hasText: "gauge reading" });
  await found.waitFor();
  await page.keyboard.type("zeppelin");
  await found.waitFor({ state: "hidden" });
  await shot("3-nothing-found");
  await vscode.pickInput.fill("");
  await page.keyboard.type("gauge");
  await found.waitFor();
  await shot("4-search");
  await found.click();
  await vscode.line("A table of predictions alone").waitFor();

  // What is not of interest leaves the view, and comes back.
  const unread = rows.filter({ hasText: "not read ·" });
  await unread.hover();
  await unread.locator('.action-label[aria-label*="Ignore in This View"]').click();
  await unread.waitFor({ state: "hidden" });
  await shot("5-ignored");
  await vscode.command("Agent Memory: Show Ignored Sources");
  await unread.waitFor();
});
