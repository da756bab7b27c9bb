// The project has no .deepagents/ yet: nothing is made before the user agrees.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { until } from "../lib/world.mjs";

const options = { workspace: { "notes.txt": "Deploys happen on Tuesdays.\n" } };

journey("consent", "a new .deepagents/ is made only after consent", options, async (here) => {
  const { vscode, page, world, shot } = here;
  await vscode.enter();
  await vscode.trust();
  await vscode.open("notes.txt");
  await vscode.selectLines(1);
  await vscode.contextMenu("Deploys happen", ["Remember This", "In Project Memory"]);
  const dialog = vscode.dialog(".deepagents");
  await dialog.waitFor();
  await shot("1-question");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  assert.equal(world.exists(".deepagents"), false, "nothing is made after a no");

  await vscode.selectLines(1);
  await vscode.contextMenu("Deploys happen", ["Remember This", "In Project Memory"]);
  await dialog.getByRole("button", { name: "Create" }).click();
  await until("the memory is on disk", () => world.exists(".deepagents/agent.md"));
  await until("the item is in it", () =>
    /^- Deploys happen on Tuesdays$/m.test(world.read(".deepagents/agent.md")),
  );
  await shot("2-created");
});
