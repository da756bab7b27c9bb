// The interpreter picker lists what is on this machine; the server runs on the selected one.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { commandLines } from "../lib/processes.mjs";
import { PYTHON_WITH_MCP } from "../lib/paths.mjs";
import { PROJECT } from "../lib/project.mjs";
import { until } from "../lib/sandbox.mjs";

journey("choose-python", "select one of the interpreters on this machine", PROJECT, async (here) => {
  const { vscode, page, sandbox, shot } = here;
  await vscode.enter();
  await vscode.trust();
  await vscode.open(".deepagents/agent.md");
  await vscode.tokens.waitFor();
  await vscode.command("Agent Memory: Choose Python");
  const rows = page.locator(".quick-input-list .monaco-list-row");
  await rows.filter({ hasText: /Python 3\.\d+\.\d+/ }).first().waitFor();
  await rows.filter({ hasText: "Automatic" }).waitFor();
  await shot("1-found");
  await rows.filter({ hasText: "Enter a Path" }).click();
  await page.getByText("Path of the interpreter").waitFor();
  await vscode.pickInput.fill("/nowhere/python");
  await page.getByText("Cannot run /nowhere/python: not found").waitFor();
  await shot("2-not-found");
  await vscode.pickInput.fill(PYTHON_WITH_MCP);
  await page.getByText("Cannot run").waitFor({ state: "hidden" });
  await page.keyboard.press("Enter");
  await until("the server runs on it", () =>
    commandLines(sandbox, "serve").some(([program]) => program === PYTHON_WITH_MCP),
  );
  await vscode.tokens.waitFor(); // a server that is starting answers late when it is stopped
  await vscode.command("Agent Memory: Choose Python");
  await rows.filter({ hasText: "Automatic" }).waitFor();
  await rows.filter({ hasText: "Automatic" }).click();
  await until("the server runs on the one on PATH", () => {
    const programs = commandLines(sandbox, "serve").map(([program]) => program);
    return programs.length === 1 && programs[0] !== PYTHON_WITH_MCP;
  });
  await vscode.tokens.waitFor();
  assert.equal(await page.locator(".notification-toast").count(), 0);
  await shot("3-automatic");
});
