// What holds everywhere goes to user memory; what is said already is not written twice.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";
import { until } from "../lib/world.mjs";

const MEMORY = "~/.deepagents/agent/agent.md";
const options = {
  ...PROJECT,
  workspace: { ...PROJECT.workspace, "notes.txt": "Always name the gauge.\nHeights in metres.\n" },
};

journey("remember-user", "remember a selection in user memory, once", options, async (here) => {
  const { vscode, world, shot } = here;
  await vscode.enter();
  await vscode.trust();
  await vscode.open("notes.txt");
  await vscode.selectLines(1);
  await vscode.contextMenu("Always name", ["Remember This", "In User Memory"]);
  // The editor empties a file before it writes it: wait for what it writes.
  await until("the item is on disk", () => world.read(MEMORY).includes("Always name the gauge"));
  assert.match(world.read(MEMORY), /^- Always name the gauge$/m);
  await vscode.notification("Added to User Memory").waitFor();
  await shot("1-filed");
  await vscode.command("Notifications: Clear All Notifications");

  const filed = world.read(MEMORY);
  await vscode.selectLines(1);
  await vscode.contextMenu("Always name", ["Remember This", "In User Memory"]);
  const said = vscode.notification("line");
  await said.waitFor();
  await shot("2-already-there");
  await said.getByRole("button", { name: "Open", exact: true }).click();
  await vscode.line("Short answers").waitFor();
  await shot("3-where-it-stands");
  assert.equal(world.read(MEMORY), filed);
});
