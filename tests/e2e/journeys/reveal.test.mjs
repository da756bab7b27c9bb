// Secrets are masked; they are shown, and copied, only after a question, and hidden again.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";
import { madeUpToken } from "../lib/secrets.mjs";
import { until } from "../lib/world.mjs";

const token = madeUpToken();
const MEMORY = ".deepagents/agent.md";
const memory = `# Tides\n\n- The gauge's account: token ${token}\n`;
const options = { ...PROJECT, workspace: { ...PROJECT.workspace, [MEMORY]: memory } };

journey("reveal", "secrets are revealed and copied after a question", options, async (here) => {
  const { vscode, page, shot } = here;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await vscode.enter();
  await vscode.trust();
  await vscode.open("src/tides.py");
  await vscode.showPreview();
  const shows = async () => (await vscode.panelText()).includes(token);
  assert.equal(await shows(), false);
  await shot("1-masked");

  const action = (name) => vscode.panel.locator(`[data-action="${name}"]`);
  await action("reveal").click();
  const question = vscode.dialog("Show the prompt with its secrets?");
  await question.waitFor();
  await shot("2-question");
  await question.getByRole("button", { name: "Cancel" }).click();
  assert.equal(await shows(), false, "after a no");
  await action("reveal").click();
  await question.getByRole("button", { name: "Show Secrets" }).click();
  await until("the secret is shown", shows);
  await action("reveal").click();
  await until("it is masked again", async () => !(await shows()));

  const clipboard = () => page.evaluate(() => window.navigator.clipboard.readText());
  await action("copy").click();
  const said = vscode.notification("its secrets masked");
  await said.waitFor();
  assert.match(await clipboard(), /The gauge's account/);
  assert.equal((await clipboard()).includes(token), false);
  await said.getByRole("button", { name: "Copy Whole" }).click();
  const whole = vscode.dialog("Copy the prompt with its secrets?");
  await whole.waitFor();
  await shot("3-copy-whole");
  await whole.getByRole("button", { name: "Copy with Secrets" }).click();
  await until("the whole prompt is copied", async () => (await clipboard()).includes(token));
});
