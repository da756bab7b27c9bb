// A convention turns out to hold everywhere: the light bulb moves it to user memory, one undo back.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";
import { until } from "../lib/world.mjs";

const PROJECTS = ".deepagents/agent.md";
const USERS = "~/.deepagents/agent/agent.md";
const ITEM = "- Times are UTC inside; a zone only at the edge\n";

journey("move", "move an item to user memory, and undo it once", PROJECT, async (here) => {
  const { vscode, page, world, shot } = here;
  const before = [PROJECTS, USERS].map((name) => world.read(name));
  await vscode.enter();
  await vscode.trust();
  await vscode.open(PROJECTS, 5);
  await vscode.squiggle("error").waitFor();
  await vscode.refactor("Move to User Memory", () => shot("1-offered"));
  await until("the item is in user memory", () => world.read(USERS).includes(ITEM));
  await until("and not in the project's", () => world.read(PROJECTS) === before[0].replace(ITEM, ""));
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
    [PROJECTS, USERS].every((name, index) => world.read(name) === before[index]),
  );
  assert.equal(await page.locator(".tab.dirty").count(), 0);
});
