// The project has no .deepagents/ folder: it is created only after the user confirms.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { until } from "../lib/sandbox.mjs";

const options = { workspace: { "notes.txt": "Deploys happen on Tuesdays.\n" } };

journey("consent", "a new .deepagents/ is created only after consent", options, async (here) => {
  const { vscode, page, sandbox, shot } = here;
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
  assert.equal(sandbox.exists(".deepagents"), false, "nothing is created after a no");

  await vscode.selectLines(1);
  await vscode.contextMenu("Deploys happen", ["Remember This", "In Project Memory"]);
  await dialog.getByRole("button", { name: "Create" }).click();
  await vscode.saveItem("Save to Project Memory");
  await until("the memory is on disk", () => sandbox.exists(".deepagents/agent.md"));
  await until("the item is in it", () =>
    /^- Deploys happen on Tuesdays$/m.test(sandbox.read(".deepagents/agent.md")),
  );
  await shot("2-created");
});
