// The light bulb moves an item to user memory; a single undo moves it back.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";
import { until } from "../lib/sandbox.mjs";

const PROJECTS = ".deepagents/agent.md";
const USERS = "~/.deepagents/agent/agent.md";
const ITEM = "- Times are UTC inside; a zone only at the edge\n";

journey("move", "move an item to user memory and undo it", PROJECT, async (here) => {
  const { vscode, page, sandbox, shot } = here;
  const before = [PROJECTS, USERS].map((name) => sandbox.read(name));
  await vscode.enter();
  await vscode.trust();
  await vscode.open(PROJECTS, 5);
  await vscode.squiggle("error").waitFor();
  await vscode.refactor("Move to User Memory", () => shot("1-offered"));
  await until("the item is in user memory", () => sandbox.read(USERS).includes(ITEM));
  await until("and not in the project's", () => sandbox.read(PROJECTS) === before[0].replace(ITEM, ""));
  await shot("2-moved");

  await vscode.line("Heights are metres").click();
  await vscode.undo();
  await vscode.line("Times are UTC").waitFor();
  await shot("3-undone");
  await vscode.save();
  await page.locator(".tab", { hasText: "~" }).click();
  await vscode.line("Short answers").waitFor();
  await vscode.save();
  await until("both are as they were", () =>
    [PROJECTS, USERS].every((name, index) => sandbox.read(name) === before[index]),
  );
  assert.equal(await page.locator(".tab.dirty").count(), 0);
});
