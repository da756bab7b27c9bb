// A comment in the code is worth keeping: right-click, Remember This, In Project Memory; then undo.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";
import { until } from "../lib/world.mjs";

const MEMORY = ".deepagents/agent.md";

journey("remember-project", "remember a selection in project memory", PROJECT, async (here) => {
  const { vscode, world, shot } = here;
  const before = world.read(MEMORY);
  await vscode.enter();
  await vscode.trust();
  await vscode.open("src/tides.py");
  await vscode.selectLines(3);
  await vscode.contextMenu("The gauge is read", ["Remember This", "In Project Memory"], () =>
    shot("1-menu"),
  );
  await until("the item is on disk", () => !["", before].includes(world.read(MEMORY)));
  const after = world.read(MEMORY);
  assert.match(after, /The gauge is read at the full hour, never between/);
  assert.deepEqual(removedLines(before, after), [], "nothing that stood there is lost");
  const said = vscode.notification("Added to Project Memory");
  await said.waitFor();
  await shot("2-filed");

  // One undo takes it back, to the byte.
  await said.getByRole("button", { name: "Undo" }).click();
  await until("the file is as it was", () => world.read(MEMORY) === before);
  await shot("3-undone");
});

function removedLines(before, after) {
  const kept = after.split("\n");
  return before.split("\n").filter((line) => !kept.includes(line));
}
