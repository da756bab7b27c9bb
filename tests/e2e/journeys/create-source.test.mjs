// Create a missing file from the Sources view, with the keyboard only and after confirmation.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";
import { until } from "../lib/sandbox.mjs";

const MISSING = ".deepagents/AGENTS.md";
/** The texts of its row: name and folder. */
const ROW = "AGENTS.md.deepagents";
const options = { ...PROJECT, settings: { "agentMemory.runtime": "deepagents-code" } };

journey("create-source", "a missing file is created after confirmation", options, async (here) => {
  const { vscode, page, sandbox, shot } = here;
  await vscode.enter();
  await vscode.trust();
  await vscode.command("Agent Memory: Focus on Sources View");
  const row = (text) => page.locator(".sidebar .monaco-list-row", { hasText: text });
  await row("Not created yet").waitFor();
  await until("the missing files", async () => {
    await row("Not created yet").click();
    await page.keyboard.press("ArrowRight"); // expands, also if an update of the view swallowed the click
    return row(ROW).waitFor({ timeout: 3_000 }).then(() => true, () => false);
  });
  const question = vscode.dialog("Create it?");
  const list = page.locator(".sidebar .pane", { hasText: "Not created yet" }).locator(".monaco-list");
  const choose = async () => {
    await list.focus();
    await page.keyboard.press("Home");
    await until("the focus on the missing file", async () => {
      if ((await row(ROW).and(page.locator(".focused")).count()) > 0) {
        return true;
      }
      await page.keyboard.press("ArrowDown");
      return false;
    });
    await page.keyboard.press("Enter");
  };
  // A refresh of the view takes the focus from the row: press again.
  const ask = () =>
    until("the question", async () => {
      await choose();
      return question.waitFor({ timeout: 3_000 }).then(() => true, () => false);
    });
  await shot("1-not-created-yet");
  await ask();
  await shot("2-question");
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "hidden" });
  assert.equal(sandbox.exists(MISSING), false, "nothing is created after a no");

  await ask();
  await question.getByRole("button", { name: "Create" }).click();
  await until("the file is on disk", () => sandbox.exists(MISSING));
  await vscode.line("Facts and rules").waitFor();
  await row("AGENTS.md").filter({ hasText: "tok · .deepagents" }).waitFor();
  await shot("3-created");
});
