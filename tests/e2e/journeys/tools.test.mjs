// A language model calls the tools: each asks first, and the answer is text.
import assert from "node:assert/strict";
import path from "node:path";
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";
import { until } from "../lib/sandbox.mjs";

const MEMORY = ".deepagents/agent.md";
const options = {
  ...PROJECT,
  settings: { "chat.disableAIFeatures": false },
  extensions: [path.join(import.meta.dirname, "..", "extension-host", "companion")],
};

journey("tools", "a language model remembers after confirmation", options, async (here) => {
  const { vscode, page, sandbox, shot } = here;
  const before = sandbox.read(MEMORY);
  await vscode.enter();
  await vscode.trust();
  await vscode.open(MEMORY);
  await vscode.tokens.waitFor();

  await vscode.command("Companion: Call the Tool Remember");
  const dialog = vscode.dialog("Save to Project Memory > ");
  await dialog.waitFor();
  assert.match(await dialog.innerText(), /- Never round a height twice/);
  await shot("1-confirmation");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  assert.equal(sandbox.read(MEMORY), before, "nothing is saved after a no");

  await vscode.command("Companion: Call the Tool Remember");
  await dialog.waitFor();
  await page.keyboard.press("Enter");
  await until("the item is on disk", () => sandbox.read(MEMORY).includes("- Never round a height twice\n"));
  await vscode.notification("answer: Added to Project Memory").waitFor();
  await shot("2-saved");
  await vscode.command("Notifications: Clear All Notifications");

  await vscode.command("Companion: Call the Tool Explain Memory");
  await vscode.dialog("Explain memory?").waitFor();
  await page.keyboard.press("Enter");
  const answer = vscode.notification("answer: {");
  await answer.waitFor();
  assert.match(await answer.innerText(), /agent\.md/);
  await shot("3-explained");
});
