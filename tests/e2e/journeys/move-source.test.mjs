// A memory file that the runtime does not read is moved to where it does, after a question.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";
import { until } from "../lib/world.mjs";

const FROM = ".deepagents/agent.md";
const TO = ".deepagents/AGENTS.md";
const options = { ...PROJECT, settings: { "agentMemory.runtime": "deepagents-code" } };

journey("move-source", "a file that is not read is moved to where it is", options, async (here) => {
  const { vscode, page, world, shot } = here;
  const text = world.read(FROM);
  await vscode.enter();
  await vscode.trust();
  await vscode.command("Agent Memory: Focus on Sources View");
  const row = page.locator(".sidebar .monaco-list-row", { hasText: FROM });
  await row.waitFor();
  const question = vscode.dialog("Move the file");
  const ask = () =>
    until("the question", async () => {
      // A view that is drawn anew takes the icons away from under the mouse.
      const icon = row.locator('.action-label[aria-label*="Move to Where It Is Read"]');
      await row.hover({ timeout: 1_000 }).catch(() => {});
      await icon.click({ timeout: 1_000 }).catch(() => {});
      return question.waitFor({ timeout: 2_000 }).then(
        () => true,
        () => false,
      );
    });
  await ask();
  await shot("1-question");
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "hidden" });
  assert.equal(world.read(FROM), text, "nothing is moved after a no");

  await ask();
  await question.getByRole("button", { name: "Move", exact: true }).click();
  await until("the file has moved", () => world.exists(TO) && !world.exists(FROM));
  assert.equal(world.read(TO), text);
  await page.locator(".sidebar .monaco-list-row", { hasText: TO }).filter({ hasText: "1st" }).waitFor();
  await shot("2-moved");
});
