// The window is loaded again, as after an update: the panel is there again, with the prompt of now.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";

const MEMORY = ".deepagents/agent.md";

/** What the window that is left was about to ask its server. */
const options = { ...PROJECT, expectedErrors: /Starting server failed|provider FAILED/ };

journey("restored", "the panel comes back with the window", options, async (here) => {
  const { vscode, page, world, shot } = here;
  await vscode.enter();
  await vscode.trust();
  await vscode.open(MEMORY);
  await vscode.showPreview();
  // The workbench writes down what is open some time after it was opened.
  await page.waitForTimeout(6_000);
  world.write(MEMORY, world.read(MEMORY).replace("Heights are metres", "Depths are fathoms"));
  await page.reload();
  await page.locator(".monaco-workbench").waitFor();
  await vscode.panel.getByText("Depths are fathoms").first().waitFor();
  await shot("1-restored");
  assert.equal(await vscode.panelText(), world.agentMemory("prompt"));
});
