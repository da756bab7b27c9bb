// The panel shows the exact prompt and links to its source lines.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";
import { until } from "../lib/sandbox.mjs";

journey("preview", "the preview is the prompt of the command line", PROJECT, async (here) => {
  const { vscode, page, sandbox, shot } = here;
  await vscode.enter();
  await vscode.trust();
  await vscode.open(".deepagents/agent.md");
  await vscode.showPreview();
  assert.equal(await vscode.panelText(), sandbox.agentMemory("prompt"));
  const { hash } = JSON.parse(sandbox.agentMemory("prompt", "--format", "json"));
  assert.equal(await vscode.panel.locator("body").getAttribute("data-hash"), hash);
  await shot("1-panel");

  // A click goes to the line in its file.
  await vscode.panel.locator(".line", { hasText: "round half to even" }).click();
  await until("the cursor is on the line", async () =>
    (await vscode.position.textContent()).startsWith("Ln 11,"),
  );
  await shot("2-source");

  // Another runtime: the panel shows the same prompt as the command line.
  await vscode.panel.locator('[data-picker="runtime"]').selectOption("deepagents-cli");
  await vscode.panel.locator("#badge", { hasText: "deepagents-cli" }).waitFor();
  const expected = sandbox.agentMemory("prompt", "--runtime", "deepagents-cli");
  assert.equal(await vscode.panelText(), expected);
  await shot("3-other-runtime");

  // Keyboard: Enter goes to the source, w explains the line.
  await vscode.panel.locator(".line", { hasText: "Short answers" }).focus();
  await page.keyboard.press("w");
  await vscode.panel.getByText("loads ~/.deepagents/agent/agent.md").first().waitFor();
  await shot("4-why");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Enter");
  await vscode.line("How I work").waitFor();
});
