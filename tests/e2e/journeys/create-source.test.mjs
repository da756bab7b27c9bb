// A file that the runtime would read is made from the view, after a question, with the keyboard alone.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";
import { until } from "../lib/world.mjs";

const MISSING = ".deepagents/AGENTS.md";
const options = { ...PROJECT, settings: { "agentMemory.runtime": "deepagents-code" } };

journey("create-source", "a missing file is made after a yes", options, async (here) => {
  const { vscode, page, world, shot } = here;
  await vscode.enter();
  await vscode.trust();
  await vscode.command("Agent Memory: Focus on Sources View");
  const row = (text) => page.locator(".sidebar .monaco-list-row", { hasText: text });
  await row("Would be read").waitFor();
  await row("Would be read").click();
  await row(MISSING).waitFor();
  const list = page.locator(".sidebar .pane", { hasText: "Would be read" }).locator(".monaco-list");
  const choose = async () => {
    await list.focus();
    await page.keyboard.press("Home");
    await until("the keyboard's place is the missing file", async () => {
      if ((await row(MISSING).and(page.locator(".focused")).count()) > 0) {
        return true;
      }
      await page.keyboard.press("ArrowDown");
      return false;
    });
    await page.keyboard.press("Enter");
  };
  await shot("1-would-be-read");
  await choose();
  const question = vscode.dialog("Create it?");
  await question.waitFor();
  await shot("2-question");
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "hidden" });
  assert.equal(world.exists(MISSING), false, "nothing is made after a no");

  await choose();
  await question.getByRole("button", { name: "Create" }).click();
  await until("the file is on disk", () => world.exists(MISSING));
  await vscode.line("Preferences").waitFor();
  await row(MISSING).filter({ hasText: "1st" }).waitFor();
  await shot("3-created");
});
