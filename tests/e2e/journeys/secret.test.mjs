// A selection with a token is refused, and saved redacted on request.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";
import { generateToken } from "../lib/secrets.mjs";
import { until } from "../lib/sandbox.mjs";

const token = generateToken();
const letters = token.slice(4);
const MEMORY = ".deepagents/agent.md";
const options = {
  ...PROJECT,
  workspace: { ...PROJECT.workspace, "notes.txt": `The gauge's account: token ${token}\n` },
};

journey("secret", "a secret is refused, then saved redacted", options, async (here) => {
  const { vscode, page, sandbox, shot } = here;
  const before = sandbox.read(MEMORY);
  await vscode.enter();
  await vscode.trust();
  await vscode.open("notes.txt");
  await vscode.selectLines(1);
  await vscode.contextMenu("account", ["Remember This", "In Project Memory"]);
  const refusal = vscode.notification("Save with Secret Redacted");
  await refusal.waitFor();
  assert.equal((await refusal.textContent()).includes(letters), false);
  assert.equal(sandbox.read(MEMORY), before);
  await shot("1-refused");

  await refusal.getByRole("button", { name: "Save with Secret Redacted" }).click();
  await page.locator(".quick-input-title", { hasText: "Save to" }).waitFor();
  assert.equal((await vscode.pickInput.inputValue()).includes(letters), false);
  await vscode.saveItem();
  await until("the item is on disk", () => !["", before].includes(sandbox.read(MEMORY)));
  assert.match(sandbox.read(MEMORY), /The gauge's account/);
  assert.equal(sandbox.read(MEMORY).includes(letters), false);
  await vscode.open(MEMORY);
  await shot("2-redacted");
  // Only the editor of its own file shows the value.
  await vscode.command("View: Close All Editors");
  assert.equal((await page.locator("body").textContent()).includes(letters), false);
});
