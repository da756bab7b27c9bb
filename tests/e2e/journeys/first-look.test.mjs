// Open an unknown project: trust, squiggles, Problems with links, hover.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { BARE_PYTHON } from "../lib/paths.mjs";
import { pythonOf, servers } from "../lib/processes.mjs";
import { HIDDEN_COLUMN, HIDDEN_LINE, PROJECT } from "../lib/project.mjs";

journey("first-look", "first look: trust, squiggle, Problems, hover", PROJECT, async (here) => {
  const { vscode, sandbox, shot } = here;
  await vscode.enter();
  await vscode.trustButton.waitFor();
  await shot("1-trust");
  await vscode.trust();

  await vscode.open(".deepagents/agent.md", HIDDEN_LINE);
  await vscode.squiggle("error").waitFor();
  await shot("2-squiggle");

  await vscode.showProblems();
  const hidden = vscode.problem("AM107");
  await hidden.waitFor();
  const link = hidden.locator("a.monaco-link");
  assert.equal(await link.textContent(), "AM107");
  assert.equal(await link.getAttribute("href"), 'command:agentMemory.openRulePage?["AM107"]');
  await shot("3-problems");

  // The Problems list has the findings of the command line, without the advice, which the hover has.
  const report = JSON.parse(sandbox.agentMemory("check", "--format", "json", "--fail-on", "never"));
  for (const { message, path } of report.findings) {
    if (path === sandbox.at(".deepagents/agent.md")) {
      await vscode.problem(message.split(". ")[0].slice(0, 60)).waitFor();
    }
  }

  await vscode.goTo(HIDDEN_LINE, HIDDEN_COLUMN);
  const hover = await vscode.hoverAtCursor();
  await hover.getByText("AM107").first().waitFor();
  await shot("4-hover");

  // The server runs on the sandbox's Python, which has none of our dependencies.
  assert.equal(pythonOf(servers(sandbox)[0]), BARE_PYTHON);
});
