// The MCP server for the editor's agents: VS Code lists and starts it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import readline from "node:readline";
import { journey } from "../lib/journey.mjs";
import { PYTHON_WITH_MCP } from "../lib/paths.mjs";
import { commandLines } from "../lib/processes.mjs";
import { PROJECT } from "../lib/project.mjs";
import { until } from "../lib/sandbox.mjs";

const options = {
  ...PROJECT,
  settings: { "chat.disableAIFeatures": false },
  machine: { "agentMemory.interpreter": PYTHON_WITH_MCP },
};

journey("mcp", "the MCP server is offered to the editor's agents", options, async (here) => {
  const { vscode, page, sandbox, shot } = here;
  await vscode.enter();
  await vscode.trust();
  await vscode.open(".deepagents/agent.md");
  await vscode.tokens.waitFor();
  const server = page.locator(".quick-input-list .monaco-list-row", { hasText: "Agent Memory" });
  // The list is not updated while it is open, and the extension first checks that the server starts.
  await until("the offered server", async () => {
    await vscode.command("MCP: List Servers");
    return server.first().waitFor({ timeout: 3_000 }).then(
      () => true,
      () => page.keyboard.press("Escape").then(() => false),
    );
  });
  await shot("1-servers");
  await server.first().click();
  await vscode.pick("Start Server");
  const [command] = await until("the server runs", () => {
    const found = commandLines(sandbox, "mcp");
    return found.length > 0 && found;
  });
  await page.locator(".panel .view-line", { hasText: /Discovered\s+\d+\s+tools/ }).waitFor();
  await shot("2-started");

  // The command started by the editor lists the tools.
  assert.equal(command[command.indexOf("--cwd") + 1], sandbox.workspace);
  const tools = await toolsOf(command, sandbox);
  for (const name of ["remember", "recall", "forget", "prompt"]) {
    assert.ok(tools.includes(name), tools.join(", "));
  }
});

/** The tool names of an MCP server on a pipe. */
async function toolsOf([program, ...args], sandbox) {
  const server = spawn(program, args, { env: sandbox.env, stdio: ["pipe", "pipe", "ignore"] });
  try {
    const answers = readline.createInterface({ input: server.stdout })[Symbol.asyncIterator]();
    const send = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const clientInfo = { name: "journey", version: "1" };
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
    send({ id: 1, method: "initialize", params });
    await answers.next();
    send({ method: "notifications/initialized" });
    send({ id: 2, method: "tools/list", params: {} });
    const { value } = await answers.next();
    return JSON.parse(value).result.tools.map(({ name }) => name);
  } finally {
    server.kill();
  }
}
