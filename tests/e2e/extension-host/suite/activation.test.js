const assert = require("node:assert/strict");
const vscode = require("vscode");
const { EXTENSION, MEMORY, codes, open, until } = require("./support");

describe("activation", () => {
  it("activates on a project with memory", async () => {
    await EXTENSION.activate(); // journeys/activation measures the time
    assert.equal(EXTENSION.isActive, true);
  });

  it("registers every command of its manifest", async () => {
    const known = new Set(await vscode.commands.getCommands(true));
    const missing = EXTENSION.packageJSON.contributes.commands
      .map(({ command }) => command)
      .filter((command) => !known.has(command));
    assert.deepEqual(missing, []);
  });

  it("shows the findings of an open memory file", async () => {
    await open(MEMORY);
    await until("the findings", () => codes(MEMORY).length >= 2);
    assert.deepEqual(codes(MEMORY).sort(), ["AM107", "AM403"]);
  });

  it("links every finding to its rule page", () => {
    for (const { code, source } of vscode.languages.getDiagnostics(MEMORY)) {
      assert.equal(source, "agent-memory");
      assert.equal(decodeURIComponent(code.target.query), `["${code.value}"]`);
      assert.equal(`${code.target.scheme}:${code.target.path}`, "command:agentMemory.openRulePage");
    }
  });
});
