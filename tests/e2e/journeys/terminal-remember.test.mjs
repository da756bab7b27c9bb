// Save a line of the terminal: select it, right-click, Enter.
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";
import { until } from "../lib/sandbox.mjs";
import { rememberInTerminal } from "../lib/terminal.mjs";

const MEMORY = ".deepagents/agent.md";
const TEXT = "Round the heights to centimetres";

journey("terminal-remember", "remember a line of the terminal", PROJECT, async (here) => {
  const { vscode, page, sandbox, shot } = here;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await vscode.enter();
  await vscode.trust();
  await vscode.open(MEMORY);
  await vscode.tokens.waitFor();
  await rememberInTerminal(here, TEXT, shot);
  await shot("3-question");
  await vscode.saveItem();
  await until("the item is on disk", () => sandbox.read(MEMORY).includes(`- ${TEXT}\n`));
  await vscode.notification("Added to Project Memory").waitFor();
  await shot("4-saved");
});
