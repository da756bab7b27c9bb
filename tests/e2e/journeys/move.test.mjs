// Refactorings move an item to user memory or to another section; a single undo moves it back.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";
import { until } from "../lib/sandbox.mjs";

const PROJECTS = ".deepagents/agent.md";
const USERS = "~/.deepagents/agent/agent.md";
const ITEM = "- Times are UTC inside; a zone only at the edge\n";

journey("move", "move an item to another section and to user memory and undo it", PROJECT, async (here) => {
  const { vscode, page, sandbox, shot } = here;
  const before = [PROJECTS, USERS].map((name) => sandbox.read(name));
  await vscode.enter();
  await vscode.trust();
  await vscode.open(PROJECTS, 5);
  await vscode.squiggle("error").waitFor();

  // With keys only: the list, its row, one undo.
  const section = page.locator(".action-widget .monaco-list-row", { hasText: "the section 'Lessons'" });
  await until("the sections are offered", async () => {
    await page.keyboard.press("Control+Shift+R");
    return section.waitFor({ timeout: 10_000 }).then(
      () => true,
      () => false,
    );
  });
  await shot("1-sections");
  await until("the row has the focus", async () => {
    if (await section.evaluate((row) => row.classList.contains("focused"))) {
      return true;
    }
    await page.keyboard.press("ArrowDown");
    return false;
  });
  await page.keyboard.press("Enter");
  const edited = page.locator(".tab.dirty");
  await edited.waitFor();
  await vscode.save();
  const last = "- Never call the forecast service\u200b from a test\n";
  const moved = before[0].replace(ITEM, "").replace(last, last + ITEM);
  await until("the item is the last one of Lessons", () => sandbox.read(PROJECTS) === moved);
  await shot("2-in-lessons");
  await vscode.undo();
  await edited.waitFor();
  await vscode.save();
  await until("one undo moves it back", () => sandbox.read(PROJECTS) === before[0]);
  await vscode.goTo(5, 3);

  await vscode.refactor("Move to User Memory", () => shot("3-offered"));
  await until("the item is in user memory", () => sandbox.read(USERS).includes(ITEM));
  await until("and not in the project's", () => sandbox.read(PROJECTS) === before[0].replace(ITEM, ""));
  await shot("4-moved");

  await vscode.line("Heights are metres").click();
  await vscode.undo();
  await vscode.line("Times are UTC").waitFor();
  await shot("5-undone");
  await vscode.save();
  await page.locator(".tab", { hasText: "~" }).click();
  await vscode.line("Short answers").waitFor();
  await vscode.save();
  await until("both are as they were", () =>
    [PROJECTS, USERS].every((name, index) => sandbox.read(name) === before[index]),
  );
  assert.equal(await page.locator(".tab.dirty").count(), 0);
});
