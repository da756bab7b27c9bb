// In an untrusted folder memory is checked and shown, but nothing is written.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { HIDDEN_LINE, PROJECT } from "../lib/project.mjs";

const options = {
  ...PROJECT,
  workspace: {
    ...PROJECT.workspace,
    // The hostile workspace configures its own program as the interpreter.
    "interpreter.sh": '#!/bin/sh\ntouch "$(dirname "$0")/ran"\n',
    ".vscode/settings.json": JSON.stringify({ "agentMemory.interpreter": "./interpreter.sh" }),
  },
};

journey("restricted", "an untrusted folder is only read", options, async (here) => {
  const { vscode, page, sandbox, shot } = here;
  await vscode.enter();
  await vscode.distrust();
  await vscode.open(".deepagents/agent.md", HIDDEN_LINE);
  await vscode.squiggle("error").waitFor();
  await vscode.showPreview();
  assert.equal(await vscode.panelText(), sandbox.agentMemory("prompt"));
  await shot("1-checked-and-shown");

  await vscode.open("src/tides.py");
  await vscode.selectLines(3);
  await vscode.line("The gauge is read").locator("span span").first().click({ button: "right" });
  await page.locator(".monaco-menu .action-item", { hasText: "Copy" }).first().waitFor();
  await shot("2-no-remember-this");
  const remember = page.locator(".monaco-menu .action-item", { hasText: "Remember This" });
  assert.equal(await remember.count(), 0);
  assert.equal(sandbox.exists("ran"), false, "the workspace's program did not run");
});
