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

  await vscode.command("Agent Memory: Search Learned Memory");
  await vscode.pickInput.fill("gauge");
  const found = page.locator(".quick-input-list .monaco-list-row", { hasText: "gauge reading" });
  await found.waitFor();
  await shot("2-search");
  await found.click();
  await vscode.line("A table of predictions alone").waitFor();
});
