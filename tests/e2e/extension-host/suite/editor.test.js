// What the manifest adds to the editor: keys, tools for language models, rule pages, interpreters.
const assert = require("node:assert/strict");
const vscode = require("vscode");
const { MANIFEST, note } = require("./usage");
const { MEMORY, file, make, open, run, tidyUp, until } = require("./support");
const { ui } = require("./ui");

/** The default key bindings of the editor and its extensions, as JSON with comments. */
async function defaultKeys() {
  await vscode.commands.executeCommand("workbench.action.openDefaultKeybindingsFile");
  const editor = await until("the default keys", () =>
    vscode.window.activeTextEditor?.document.getText().includes('"key"') && vscode.window.activeTextEditor,
  );
  const text = editor.document.getText().replaceAll(/^\s*\/\/.*$/gm, "");
  return JSON.parse(text.slice(0, text.lastIndexOf("]") + 1));
}

describe("in the editor", () => {
  afterEach(tidyUp);

  it("the default keys are not those of another command", async () => {
    const all = await defaultKeys();
    const ours = MANIFEST.keybindings.map(({ key }) => key);
    const others = all.filter(({ key, command }) => ours.includes(key) && !command.startsWith("agentMemory."));
    assert.deepEqual(others, []);
    assert.ok(all.some(({ command }) => command === "agentMemory.rememberTerminal"));
  });

  it("a finding links to its page, which opens in the editor", async () => {
    await open(MEMORY);
    const [diagnostic] = await until("the finding", () => {
      const found = vscode.languages.getDiagnostics(MEMORY).filter(({ code }) => code.value === "AM107");
      return found.length > 0 && found;
    });
    assert.equal(diagnostic.code.target.scheme, "command");
    await run("openRulePage", "AM107");
    const tab = await until("the page", () =>
      vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).find(({ label }) => label.includes("AM107")),
    );
    assert.match(tab.input.viewType, /markdown\.preview/);
  });

  it("openRulePage lists all pages", async () => {
    const done = run("openRulePage");
    const rows = await ui.pick("AM101");
    assert.ok(rows.length > 5, rows.join("\n"));
    await ui.type("stale-path"); // the list renders only the rows in sight
    await ui.pick("stale-path", true);
    await done;
    await until("the page", () =>
      vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).find(({ label }) => label.includes("AM501")),
    );
  });

  it("agent-memory.toml is completed", async () => {
    make(".deepagents/agent-memory.toml", "[rules]\nAM501 = \n");
    const uri = file(".deepagents/agent-memory.toml");
    await open(uri);
    const position = new vscode.Position(1, 8);
    const { items } = await vscode.commands.executeCommand("vscode.executeCompletionItemProvider", uri, position);
    assert.ok(items.some(({ label }) => label === '"off"'), items.map(({ label }) => label).join(", "));
    note("provider", "registerCompletionItemProvider");
  });

  it("the tools are offered to language models", async () => {
    const known = await until("the tools", () => {
      const found = vscode.lm.tools.filter(({ name }) => name.startsWith("agent_memory_"));
      return found.length > 0 && found;
    });
    assert.deepEqual(known.map(({ name }) => name).sort(), MANIFEST.languageModelTools.map(({ name }) => name).sort());
    note("provider", "registerTool");
  });
});
