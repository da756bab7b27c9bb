// The MCP server for the editor's agents: what is offered and started.
const assert = require("node:assert/strict");
const { spawn } = require("node:child_process");
const readline = require("node:readline");
const vscode = require("vscode");
const { note } = require("./usage");
const { file, information, make, processes, readLogs, set, tidyUp, until } = require("./support");
const { ui } = require("./ui");

const ai = (value) =>
  vscode.workspace.getConfiguration("chat").update("disableAIFeatures", value, true);

/** Start the offered server in the editor; returns its command line. */
async function started() {
  const done = vscode.commands.executeCommand("workbench.mcp.listServer");
  await ui.pick("Agent Memory", true);
  await ui.pick("Start Server", true);
  await done;
  const [{ command }] = await until("the server runs", () => {
    const found = processes("mcp");
    return found.length > 0 && found;
  });
  return command;
}

/** Run the server `command` and call its tools in sequence; returns the results. */
async function call([program, ...args], calls) {
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "ignore"] });
  try {
    const answers = readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const ask = async (method, params) => {
      send({ id: 1, method, params });
      return JSON.parse((await answers.next()).value).result;
    };
    const clientInfo = { name: "suite", version: "1" };
    await ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
    send({ method: "notifications/initialized" });
    const found = [];
    for (const [name, argument] of calls) {
      found.push(await ask("tools/call", { name, arguments: argument }));
    }
    return found;
  } finally {
    child.kill();
  }
}

const entry = (summary) => ["remember_entry", { summary, body: `${summary}, says the pilot.` }];

describe("the MCP server", () => {
  before(() => ai(false));
  afterEach(async () => {
    await vscode.commands.executeCommand("workbench.mcp.stopServer").then(undefined, () => {});
    await vscode.commands.executeCommand("workbench.action.closePanel"); // the editor opens it for a server
    await tidyUp();
  });
  after(() => ai(true));

  it("is not offered without its package, and the log says how to install it", async () => {
    const done = vscode.commands.executeCommand("workbench.mcp.listServer");
    await until("the log", () =>
      /no MCP server is offered to agents: .*pip install/.test(readLogs("Agent Memory")),
    );
    await vscode.commands.executeCommand("workbench.action.closeQuickOpen");
    await done;
  });

  it("applies drover.writesPerTurn", async () => {
    make(".memory/global/.keep", "");
    await set("runtime", "drover");
    await set("drover.entries", file(".memory").fsPath);
    await set("drover.writesPerTurn", 2);
    // The offer is updated when the server runs.
    await set("interpreter", process.env.PYTHON_WITH_MCP);
    await until("it runs", async () => {
      const { interpreter, state } = await information();
      return state === "running" && interpreter.command === process.env.PYTHON_WITH_MCP;
    });
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    const answers = await call(await started(), [
      entry("Buoys are red"),
      entry("Piers are numbered"),
      entry("Gauges drift in winter"),
      ["prompt", {}],
      entry("The harbour closes at eight"),
    ]);
    assert.deepEqual(answers.map(({ isError }) => isError === true), [false, false, true, false, false]);
    note("provider", "registerMcpServerDefinitionProvider");
  });
});
