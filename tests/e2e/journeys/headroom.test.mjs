// Memory grows over its budget: saving it says so, once, and what to look at.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";

const options = {
  ...PROJECT,
  settings: { "agentMemory.budget.tokens": 400, "agentMemory.status.warnOnSave": false },
};

journey("headroom", "a save that goes over the budget says so", options, async (here) => {
  const { vscode, page, world, shot } = here;
  await vscode.enter();
  await vscode.trust();
  await vscode.open(".deepagents/agent.md", 3);
  // Who does not want to hear it hears nothing, until the setting says otherwise.
  await vscode.type("- One pier\n");
  await vscode.save();
  await page.waitForTimeout(2_000);
  assert.equal(await page.locator(".notification-toast").count(), 0);
  world.write(".vscode/settings.json", JSON.stringify({ "agentMemory.status.warnOnSave": true }));
  await page.locator(".statusbar-item", { hasText: "tokens" }).first().waitFor();
  const warning = vscode.notification("over its budget of 400");
  // The editor notices its settings file when it does; until then a save says nothing.
  for (let pier = 2; pier < 12 && !(await warning.isVisible()); pier += 1) {
    await vscode.type(`- The gauge stands at pier ${pier} of the old harbour\n`);
    await vscode.save();
    await page.waitForTimeout(2_000);
  }
  await warning.waitFor();
  assert.match(await warning.textContent(), /The largest part is template/);
  await shot("1-over-the-budget");
  await warning.getByRole("button", { name: "Preview Prompt" }).click();
  await vscode.panel.locator("#total.over").waitFor();
  await shot("2-preview");

  // It is said when it grows worse, not at each save.
  await vscode.line("# Tide tables").click();
  await page.keyboard.press("End");
  await vscode.type(" of the harbour");
  await vscode.save();
  await page.waitForTimeout(2_000);
  assert.equal(await page.locator(".notification-toast", { hasText: "over its budget" }).count(), 0);
});
