// The user chooses the heading: the one that fits best is first, and there can be a new one.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";
import { until } from "../lib/world.mjs";

const MEMORY = ".deepagents/agent.md";
const USER = "~/.deepagents/agent/agent.md";
const options = {
  ...PROJECT,
  workspace: { ...PROJECT.workspace, "notes.txt": "Never round twice.\nName the pier first.\n" },
};

journey("remember-section", "remember a selection under a heading", options, async (here) => {
  const { vscode, page, world, shot } = here;
  await vscode.enter();
  await vscode.trust();
  await vscode.open("notes.txt");
  await vscode.selectLines(1);
  await vscode.contextMenu("Never round", ["Remember This", "Choose Section"]);
  await vscode.pickInput.waitFor();
  const rows = page.locator(".quick-input-list .monaco-list-row");
  await rows.filter({ hasText: "Lessons" }).waitFor();
  const offered = await rows.allTextContents();
  assert.ok(offered.some((text) => text.includes("Conventions")), offered.join(", "));
  await shot("1-sections");
  await vscode.pick("Lessons");
  await until("the item is on disk", () => world.read(MEMORY).includes("Never round twice"));
  assert.match(world.read(MEMORY), /## Lessons\n[^#]*- Never round twice$/m);
  await vscode.command("Notifications: Clear All Notifications");

  await vscode.selectLines(2);
  await vscode.contextMenu("Name the pier", ["Remember This", "Choose Section"]);
  await vscode.pickInput.waitFor();
  await rows.filter({ hasText: "New section" }).last().waitFor();
  await rows.filter({ hasText: "New section" }).last().click();
  await page.getByText("The heading of the new section").waitFor();
  await vscode.pickInput.fill("Piers # and more");
  await page.getByText("A heading is one line without #.").waitFor();
  await shot("2-no-heading");
  await vscode.pickInput.fill("Piers");
  await page.keyboard.press("Enter");
  await until("the item is in user memory", () => world.read(USER).includes("Name the pier first"));
  assert.match(world.read(USER), /^## Piers\n\n- Name the pier first$/m);
  await shot("3-filed");
});
