// A save that exceeds the budget shows one warning.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";

const options = {
  ...PROJECT,
  settings: { "agentMemory.budget.tokens": 400, "agentMemory.status.warnOnSave": false },
};

journey("headroom", "a save over the budget shows a warning", options, async (here) => {
  const { vscode, page, sandbox, shot } = here;
  await vscode.enter();
  await vscode.trust();
  await vscode.open(".deepagents/agent.md", 3);
  // No warning while the setting is off.
  await vscode.type("- One pier\n");
  await vscode.save();
  await page.waitForTimeout(2_000);
  assert.equal(await page.locator(".notification-toast").count(), 0);
  sandbox.write(".vscode/settings.json", JSON.stringify({ "agentMemory.status.warnOnSave": true }));
  await vscode.tokens.waitFor();
  const warning = vscode.notification("over its budget");
  // The editor reads the changed settings file with a delay; until then there is no warning.
  for (let pier = 2; pier < 12 && !(await warning.isVisible()); pier += 1) {
    await vscode.type(`- The gauge stands at pier ${pier} of the old harbour\n`);
    await vscode.save();
    await page.waitForTimeout(2_000);
  }
  await warning.waitFor();
  assert.match(await warning.textContent(), /of 400 tokens\. The largest part is template/);
  await shot("1-over-the-budget");
  await warning.getByRole("button", { name: "Preview Prompt" }).click();
  await vscode.panel.locator("#total.over").waitFor();
  await shot("2-preview");

  // Another save over the budget shows no further warning.
  await vscode.line("# Tide tables").click();
  await page.keyboard.press("End");
  await vscode.type(" of the harbour");
  await vscode.save();
  await page.waitForTimeout(2_000);
  assert.equal(await page.locator(".notification-toast", { hasText: "over its budget" }).count(), 0);
});
