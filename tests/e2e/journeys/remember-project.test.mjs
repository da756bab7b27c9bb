// Remember a code comment in project memory from the context menu, then undo.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";
import { until } from "../lib/sandbox.mjs";

const MEMORY = ".deepagents/agent.md";

journey("remember-project", "remember a selection in project memory", PROJECT, async (here) => {
  const { vscode, page, sandbox, shot } = here;
  const before = sandbox.read(MEMORY);
  await vscode.enter();
  await vscode.trust();
  await vscode.open("src/tides.py");
  await vscode.selectLines(3);
  await vscode.contextMenu("The gauge is read", ["Remember This", "In Project Memory"], () =>
    shot("1-menu"),
  );
  // The item and its place are shown first, and Escape saves nothing.
  const title = page.locator(".quick-input-title", { hasText: "Save to Project Memory > " });
  await title.waitFor();
  assert.equal(await vscode.pickInput.inputValue(), "The gauge is read at the full hour, never between");
  await shot("2-question");
  await page.keyboard.press("Escape");
  await title.waitFor({ state: "hidden" });
  assert.equal(sandbox.read(MEMORY), before);

  // It can be changed.
  await vscode.selectLines(3);
  await vscode.contextMenu("The gauge is read", ["Remember This", "In Project Memory"]);
  await title.waitFor();
  await vscode.pickInput.fill("Read the gauge at the full hour, never between");
  await page.keyboard.press("Enter");
  await until("the item is on disk", () => !["", before].includes(sandbox.read(MEMORY)));
  const after = sandbox.read(MEMORY);
  assert.match(after, /Read the gauge at the full hour, never between/);
  assert.deepEqual(removedLines(before, after), [], "no existing line is lost");
  const said = vscode.notification("Added to Project Memory");
  await said.waitFor();
  await shot("3-saved");

  // Undo restores the file exactly.
  await said.getByRole("button", { name: "Undo" }).click();
  await until("the file is as it was", () => sandbox.read(MEMORY) === before);
  await shot("4-undone");
});

function removedLines(before, after) {
  const kept = after.split("\n");
  return before.split("\n").filter((line) => !kept.includes(line));
}
