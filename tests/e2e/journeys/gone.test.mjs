// Behind the open panel the file is deleted, and the server is another one: the panel goes with it.
import fs from "node:fs";
import { journey } from "../lib/journey.mjs";
import { servers } from "../lib/processes.mjs";
import { PROJECT } from "../lib/project.mjs";
import { until } from "../lib/world.mjs";

const MEMORY = ".deepagents/agent.md";
const options = { ...PROJECT, expectedErrors: /connection|server|closed/i };

journey("gone", "the panel outlives its file and its server", options, async (here) => {
  const { vscode, world, shot } = here;
  await vscode.enter();
  await vscode.trust();
  await vscode.open("src/tides.py");
  await vscode.showProblems();
  await vscode.problem("AM107").first().waitFor();
  await vscode.showPreview();
  await vscode.panel.getByText("Heights are metres").first().waitFor();
  const text = world.read(MEMORY);
  const isWhole = async () => (await vscode.panelText()) === world.agentMemory("prompt");

  fs.rmSync(world.at(MEMORY));
  await until("the prompt without the file", isWhole);
  await until("no finding of it", async () => (await vscode.problem("AM107").count()) === 0);
  await shot("1-deleted");

  const [first] = servers(world);
  await vscode.command("Agent Memory: Restart Server");
  await until("another server alone", () => {
    const [only, ...more] = servers(world);
    return only !== undefined && only !== first && more.length === 0;
  });
  world.write(MEMORY, text.replace("Heights are metres", "Depths are fathoms"));
  await vscode.panel.getByText("Depths are fathoms").first().waitFor();
  await until("the prompt with the file", isWhole);
  await shot("2-written-anew");
});
