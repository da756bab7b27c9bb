// Secrets are masked; showing and copying them requires confirmation.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";
import { generateToken } from "../lib/secrets.mjs";
import { until } from "../lib/sandbox.mjs";

const token = generateToken();
const MEMORY = ".deepagents/agent.md";
const memory = `# Tides\n\n- The gauge's account: token ${token}\n`;
const options = { ...PROJECT, workspace: { ...PROJECT.workspace, [MEMORY]: memory } };

journey("reveal", "secrets are revealed and copied after confirmation", options, async (here) => {
  const { vscode, page, shot } = here;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await vscode.enter();
  await vscode.trust();
  await vscode.open("src/tides.py");
  await vscode.showPreview();
  const shows = async () => (await vscode.panelText()).includes(token);
  assert.equal(await shows(), false);
  await shot("1-masked");

  await vscode.panelAction("Reveal Secrets");
  const question = vscode.dialog("Show the prompt with its secrets?");
  await question.waitFor();
  await shot("2-question");
  await question.getByRole("button", { name: "Cancel" }).click();
  assert.equal(await shows(), false, "after a no");
  await vscode.panelAction("Reveal Secrets");
  await question.getByRole("button", { name: "Show Secrets" }).click();
  await until("the secret is shown", shows);
  await vscode.panelAction("Mask Secrets");
  await until("it is masked again", async () => !(await shows()));

  const clipboard = () => page.evaluate(() => window.navigator.clipboard.readText());
  await vscode.panelAction("Copy Prompt");
  const said = vscode.notification("secrets masked");
  await said.waitFor();
  assert.match(await clipboard(), /The gauge's account/);
  assert.equal((await clipboard()).includes(token), false);
  await said.getByRole("button", { name: "Copy Unmasked" }).click();
  const confirmation = vscode.dialog("Copy the prompt with its secrets?");
  await confirmation.waitFor();
  await shot("3-copy-unmasked");
  await confirmation.getByRole("button", { name: "Copy with Secrets" }).click();
  await until("the unmasked prompt is copied", async () => (await clipboard()).includes(token));
});
