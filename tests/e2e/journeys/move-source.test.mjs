// Move an unread memory file to a location that the runtime reads, after confirmation.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";
import { until } from "../lib/sandbox.mjs";

const FROM = ".deepagents/agent.md";
const TO = ".deepagents/AGENTS.md";
const options = { ...PROJECT, settings: { "agentMemory.runtime": "deepagents-code" } };

journey("move-source", "an unread file is moved to a loaded location", options, async (here) => {
  const { vscode, page, sandbox, shot } = here;
  const text = sandbox.read(FROM);
  await vscode.enter();
  await vscode.trust();
  await vscode.command("Agent Memory: Focus on Sources View");
  const row = page.locator(".sidebar .monaco-list-row", { hasText: /agent\.md.*tok · \.deepagents/ });
  await row.waitFor();
  const question = vscode.dialog("Move this file");
  const ask = () =>
    until("the question", async () => {
      // A view that is updated replaces the icons under the mouse: repeat.
      const icon = row.locator('.action-label[aria-label*="Move to Loaded Location"]');
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
  assert.equal(sandbox.read(FROM), text, "nothing is moved after a no");

  await ask();
  await question.getByRole("button", { name: "Move", exact: true }).click();
  await until("the file has moved", () => sandbox.exists(TO) && !sandbox.exists(FROM));
  assert.equal(sandbox.read(TO), text);
  await page.locator(".sidebar .monaco-list-row", { hasText: /AGENTS\.md.*tok · \.deepagents$/ }).waitFor();
  await shot("2-moved");
});
