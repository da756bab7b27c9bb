// Compare the prompt with the last commit and with the saved files.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";

const MEMORY = ".deepagents/agent.md";

const options = {
  ...PROJECT,
  viewport: { width: 2000, height: 900 },
  settings: { "diffEditor.useInlineViewWhenSpaceIsLimited": false },
};

journey("compare", "compare with the last commit and with saved files", options, async (here) => {
  const { vscode, page, sandbox, shot } = here;
  const git = (...args) => execFileSync("git", args, { cwd: sandbox.workspace, env: sandbox.env });
  git("add", ".");
  git("-c", "user.name=Tester", "-c", "user.email=tester@example.invalid", "commit", "-qm", "Tides");
  sandbox.write(MEMORY, sandbox.read(MEMORY).replace("chart datum", "the lowest tide of the year"));
  await vscode.enter();
  await vscode.trust();
  await vscode.command("View: Close Primary Side Bar");
  await vscode.open(MEMORY, 3);
  await vscode.showPreview();

  const choose = async (label) => {
    await vscode.panelAction("Compare Prompt");
    await vscode.pickInput.waitFor();
    await page.locator(".quick-input-list .monaco-list-row", { hasText: label }).first().waitFor();
    await shot(`choices-${label.toLowerCase().replaceAll(" ", "-")}`);
    await vscode.pick(label);
    await page.locator(".tab.active", { hasText: label }).waitFor();
  };
  await choose("Last commit");
  await page.locator(".tab.active", { hasText: /Last commit ↔ now \(\d+ tokens, \+\d+\)/ }).waitFor();
  const changed = (side, text) =>
    page
      .locator(`.monaco-diff-editor .editor.${side} .view-line`)
      .filter({ hasText: new RegExp(text.replaceAll(" ", ".")) });
  await changed("original", "above chart datum").first().waitFor();
  await changed("modified", "the lowest tide").first().waitFor();
  await shot("1-last-commit");
  await vscode.command("View: Close Editor");

  await vscode.focusLine("half to even");
  await page.keyboard.press("End");
  await vscode.type(", always");
  await vscode.panel.getByText("half to even, always").waitFor();
  await choose("Saved files");
  await changed("modified", "always").first().waitFor();
  assert.equal(await changed("original", "always").count(), 0);
  await shot("2-saved-files");
});
