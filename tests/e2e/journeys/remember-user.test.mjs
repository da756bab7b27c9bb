// Remember a selection in user memory; a duplicate is not added.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";
import { until } from "../lib/sandbox.mjs";

const MEMORY = "~/.deepagents/agent/agent.md";
const options = {
  ...PROJECT,
  workspace: { ...PROJECT.workspace, "notes.txt": "Always name the gauge.\nHeights in metres.\n" },
};

journey("remember-user", "remember a selection in user memory without duplicates", options, async (here) => {
  const { vscode, sandbox, shot } = here;
  await vscode.enter();
  await vscode.trust();
  await vscode.open("notes.txt");
  await vscode.selectLines(1);
  await vscode.contextMenu("Always name", ["Remember This", "In User Memory"]);
  await vscode.saveItem("Save to User Memory");
  // The editor truncates a file before writing: wait for the content.
  await until("the item is on disk", () => sandbox.read(MEMORY).includes("Always name the gauge"));
  assert.match(sandbox.read(MEMORY), /^- Always name the gauge$/m);
  await vscode.notification("Added to User Memory").waitFor();
  await shot("1-saved");
  await vscode.command("Notifications: Clear All Notifications");

  const saved = sandbox.read(MEMORY);
  await vscode.selectLines(1);
  await vscode.contextMenu("Always name", ["Remember This", "In User Memory"]);
  const said = vscode.notification("Save Anyway");
  await said.waitFor();
  await shot("2-already-there");
  await said.getByRole("button", { name: "Open", exact: true }).click();
  await vscode.line("Short answers").waitFor();
  await shot("3-existing-item");
  assert.equal(sandbox.read(MEMORY), saved);
});
