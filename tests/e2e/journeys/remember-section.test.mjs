// Select the heading (best match first), a new heading, or another file.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";
import { until } from "../lib/sandbox.mjs";

const MEMORY = ".deepagents/agent.md";
const USER = "~/.deepagents/agent/agent.md";
const options = {
  ...PROJECT,
  workspace: {
    ...PROJECT.workspace,
    ".deepagents/skills/tides/SKILL.md": "---\nname: tides\ndescription: Reads tides\n---\n\n# Tides\n",
    "notes.txt": "Never round twice.\nName the pier first.\nRead the gauge hourly.\n",
  },
};

journey("remember-section", "remember a selection under a heading", options, async (here) => {
  const { vscode, page, sandbox, shot } = here;
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
  await vscode.saveItem("Save to Project Memory > Lessons");
  await until("the item is on disk", () => sandbox.read(MEMORY).includes("Never round twice"));
  assert.match(sandbox.read(MEMORY), /## Lessons\n[^#]*- Never round twice$/m);
  await vscode.command("Notifications: Clear All Notifications");

  await vscode.selectLines(2);
  await vscode.contextMenu("Name the pier", ["Remember This", "Choose Section"]);
  await vscode.pickInput.waitFor();
  const newSection = rows.filter({ hasText: "New section" }).last();
  await newSection.waitFor();
  const heading = page.getByText("Heading of the new section");
  await until("the question for a heading", async () => {
    await newSection.click({ timeout: 3_000 }).catch(() => {});
    return heading.waitFor({ timeout: 3_000 }).then(() => true, () => false);
  });
  await vscode.pickInput.fill("Piers # and more");
  await page.getByText("A heading must be one line without #.").waitFor();
  await shot("2-no-heading");
  await vscode.pickInput.fill("Piers");
  await page.keyboard.press("Enter");
  await vscode.saveItem("Save to User Memory > Piers");
  await until("the item is in user memory", () => sandbox.read(USER).includes("Name the pier first"));
  assert.match(sandbox.read(USER), /^## Piers\n\n- Name the pier first$/m);
  await shot("3-saved");
  await vscode.command("Notifications: Clear All Notifications");

  await vscode.selectLines(3);
  await vscode.contextMenu("Read the gauge", ["Remember This", "In Another Memory File"]);
  await vscode.pickInput.waitFor();
  await rows.filter({ hasText: "tides ·" }).waitFor();
  await shot("4-files");
  await vscode.pick("tides ·");
  await vscode.saveItem("Save to SKILL.md");
  const skill = ".deepagents/skills/tides/SKILL.md";
  await until("the item is in the skill", () => /^- Read the gauge hourly$/m.test(sandbox.read(skill)));
  await shot("5-saved-in-a-skill");
});
