// With an open panel the file is deleted and the server restarted: the panel follows.
import fs from "node:fs";
import { journey } from "../lib/journey.mjs";
import { servers } from "../lib/processes.mjs";
import { PROJECT } from "../lib/project.mjs";
import { until } from "../lib/sandbox.mjs";

const MEMORY = ".deepagents/agent.md";
const options = { ...PROJECT, expectedErrors: /connection|server|closed/i };

journey("deleted", "the panel survives the deletion of its file and a restart", options, async (here) => {
  const { vscode, sandbox, shot } = here;
  await vscode.enter();
  await vscode.trust();
  await vscode.open("src/tides.py");
  await vscode.showProblems();
  await vscode.problem("AM107").first().waitFor();
  await vscode.showPreview();
  await vscode.panel.getByText("Heights are metres").first().waitFor();
  const text = sandbox.read(MEMORY);
  const isCurrent = async () => (await vscode.panelText()) === sandbox.agentMemory("prompt");

  fs.rmSync(sandbox.at(MEMORY));
  await until("the prompt without the file", isCurrent);
  await until("no finding of it", async () => (await vscode.problem("AM107").count()) === 0);
  await shot("1-deleted");

  const [first] = servers(sandbox);
  await vscode.command("Agent Memory: Restart Server");
  await until("another server alone", () => {
    const [only, ...more] = servers(sandbox);
    return only !== undefined && only !== first && more.length === 0;
  });
  sandbox.write(MEMORY, text.replace("Heights are metres", "Depths are fathoms"));
  await vscode.panel.getByText("Depths are fathoms").first().waitFor();
  await until("the prompt with the file", isCurrent);
  await shot("2-recreated");
});
