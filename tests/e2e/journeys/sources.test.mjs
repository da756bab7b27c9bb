// The Sources view, the Learned view and the search.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { example } from "../lib/project.mjs";

journey("sources", "the sources of the prompt and the learned entries", example(), async (here) => {
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
  assert.match(shown, /tok · ~\/\.deepagents[^]*tok · \.deepagents[^]*Read on demand[^]*Not read[^]*agent.md/);
  const tab = page.locator(".tab.active", { hasText: "agent.md" }).first();
  await vscode.click(rows.filter({ hasText: "agent.md" }).first(), tab);

  // Learned entries, newest first; the selected one opens.
  await page.locator(".sidebar .pane-header", { hasText: "Learned" }).click();
  const learned = rows.filter({ hasText: "gauge reading" });
  await learned.waitFor();
  await shot("2-learned");
  await vscode.click(learned, vscode.line("A table of predictions alone"));
  await page.locator(".sidebar .pane-header", { hasText: "Learned" }).click();

  // The search updates while typing.
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

  // Hide a file and show it again.
  const unread = rows.filter({ hasText: /^agent\.md[\d,]+ tok$/ });
  const hide = page.locator(".monaco-menu .action-item", { hasText: "Hide from This List" });
  await vscode.click(unread, hide, { button: "right" });
  await page.waitForTimeout(300); // a menu ignores early clicks
  await hide.click();
  await unread.waitFor({ state: "hidden" });
  await shot("5-hidden");
  await vscode.command("Agent Memory: Show Hidden Sources");
  await unread.waitFor();
});
