// The panel shows the block, character for character, and leads back to the lines it comes from.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";

journey("preview", "the preview is the prompt of the command line", PROJECT, async (here) => {
  const { vscode, page, world, shot } = here;
  await vscode.enter();
  await vscode.trust();
  await vscode.open(".deepagents/agent.md");
  await vscode.command("Agent Memory: Preview Prompt");
  await vscode.panel.getByText("Short answers").waitFor();
  await shot("1-panel");

  await vscode.command("Agent Memory: Open Prompt as Text");
  const expected = world.agentMemory("prompt");
  await vscode.line("Agent Memory").waitFor();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+c");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, expected);
});
