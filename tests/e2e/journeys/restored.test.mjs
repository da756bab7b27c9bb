// After a reload of the window the panel is restored with the current prompt.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";

const MEMORY = ".deepagents/agent.md";

/** Requests of the previous window to its server. */
const options = { ...PROJECT, expectedErrors: /Starting server failed|provider FAILED/ };

journey("restored", "the panel is restored with the window", options, async (here) => {
  const { vscode, page, sandbox, shot } = here;
  await vscode.enter();
  await vscode.trust();
  await vscode.open(MEMORY);
  await vscode.showPreview();
  // The workbench saves its state with a delay.
  await page.waitForTimeout(6_000);
  sandbox.write(MEMORY, sandbox.read(MEMORY).replace("Heights are metres", "Depths are fathoms"));
  await page.reload();
  await page.locator(".monaco-workbench").waitFor();
  await vscode.panel.getByText("Depths are fathoms").first().waitFor();
  await shot("1-restored");
  assert.equal(await vscode.panelText(), sandbox.agentMemory("prompt"));
});
