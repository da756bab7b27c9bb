// A selection with a token in it is refused, and filed redacted when the user wants that.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";
import { madeUpToken } from "../lib/secrets.mjs";
import { until } from "../lib/world.mjs";

const token = madeUpToken();
const letters = token.slice(4);
const MEMORY = ".deepagents/agent.md";
const options = {
  ...PROJECT,
  workspace: { ...PROJECT.workspace, "notes.txt": `The gauge's account: token ${token}\n` },
};

journey("secret", "a secret is refused, then filed redacted", options, async (here) => {
  const { vscode, page, world, shot } = here;
  const before = world.read(MEMORY);
  await vscode.enter();
  await vscode.trust();
  await vscode.open("notes.txt");
  await vscode.selectLines(1);
  await vscode.contextMenu("account", ["Remember This", "In Project Memory"]);
  const refusal = vscode.notification("GitHub");
  await refusal.waitFor();
  assert.equal((await refusal.textContent()).includes(letters), false);
  assert.equal(world.read(MEMORY), before);
  await shot("1-refused");

  await refusal.getByRole("button", { name: "File It Redacted" }).click();
  await until("the item is on disk", () => !["", before].includes(world.read(MEMORY)));
  assert.match(world.read(MEMORY), /The gauge's account/);
  assert.equal(world.read(MEMORY).includes(letters), false);
  await vscode.open(MEMORY);
  await shot("2-redacted");
  // The value is shown by nothing but the editor of the file it stands in.
  await vscode.command("View: Close All Editors");
  assert.equal((await page.locator("body").textContent()).includes(letters), false);
});
