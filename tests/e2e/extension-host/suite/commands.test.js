const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");
const { note } = require("./usage");
const { EXTENSION, MEMORY, USER_MEMORY, information, open, processes, prompt, run, tidyUp, until } =
  require("./support");
const { ui } = require("./ui");

const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs);
const active = () => vscode.window.activeTextEditor?.document;

describe("commands", () => {
  afterEach(tidyUp);

  it("openUserMemory and openProjectMemory open the files", async () => {
    await run("openUserMemory");
    assert.equal(active().uri.fsPath, USER_MEMORY.fsPath);
    await run("openProjectMemory");
    assert.equal(active().uri.fsPath, MEMORY.fsPath);
  });

  it("previewPrompt opens a single panel when run twice", async () => {
    await open(MEMORY);
    await run("previewPrompt");
    await run("previewPrompt");
    const panels = () => tabs().filter(({ input }) => input?.viewType?.includes("agentMemory"));
    await until("the panel", () => panels().length > 0);
    assert.equal(panels().length, 1);
  });

  it("openPromptText opens the prompt as a read-only document", async () => {
    await open(MEMORY);
    await run("openPromptText");
    const document = await until("the document", () =>
      active()?.uri.scheme !== "file" && active(),
    );
    assert.equal(document.getText(), (await prompt()).text);
    await vscode.commands.executeCommand("type", { text: "x" });
    assert.equal(document.isDirty, false);
    note("provider", "registerTextDocumentContentProvider");
  });

  it("copyDebugInformation copies versions without memory content", async () => {
    await vscode.env.clipboard.writeText("");
    await run("copyDebugInformation");
    const text = await until("the clipboard", () => vscode.env.clipboard.readText());
    assert.match(text, new RegExp(EXTENSION.packageJSON.version.replaceAll(".", "\\.")));
    assert.match(text, /3\.\d+\.\d+/, "the version of Python");
    assert.equal(text.includes("chart datum"), false);
  });

  it("restartServer starts a new server that answers", async () => {
    const before = await until("a server", () => processes("serve")[0]);
    await run("restartServer");
    assert.match((await prompt()).text, /Heights are metres/);
    const after = processes("serve").map(({ pid }) => pid);
    assert.equal(after.length, 1);
    assert.notEqual(after[0], before.pid);
  });

  it("showLogs shows the log with the Python version", async () => {
    await run("showLogs");
    const { interpreter } = await information();
    const log = await until("the log", () =>
      ui.output(),
    );
    assert.match(log, new RegExp(`Python ${interpreter.version.join(".")}`));
    note("provider", "createOutputChannel");
    await vscode.commands.executeCommand("workbench.action.closePanel");
  });

  it("openWalkthrough opens the walkthrough with all its steps", async () => {
    await run("openWalkthrough");
    const text = await ui.visibleText(".gettingStartedDetailsContent");
    for (const { title } of EXTENSION.packageJSON.contributes.walkthroughs[0].steps) {
      assert.ok(text.includes(title), `${title} in ${text}`);
    }
  });

  it("pickRuntime and pickAgent store the choice as a setting", async () => {
    const reviewer = path.join(path.dirname(USER_MEMORY.fsPath), "..", "reviewer", "agent.md");
    fs.mkdirSync(path.dirname(reviewer), { recursive: true });
    fs.writeFileSync(reviewer, "# Reviewer\n");
    const chosen = (key) => vscode.workspace.getConfiguration("agentMemory", MEMORY).get(key);
    for (const [command, key, label, value] of [
      ["pickRuntime", "runtime", "deepagents-cli", "deepagents-cli"],
      ["pickAgent", "agent", "reviewer", "reviewer"],
    ]) {
      const done = run(command);
      await ui.pick(label, true);
      await done;
      assert.equal(chosen(key), value);
    }
    await until("the prompt of the selected runtime and agent", async () => {
      const { runtime, agent } = await prompt();
      return runtime === "deepagents-cli" && agent === "reviewer";
    });
  });

  it("show errors with a button that opens the log", async () => {
    const done = run("moveSource", { source: { uri: MEMORY.toString(), path: MEMORY.fsPath } });
    await ui.notification("is taken", "Show Logs");
    await done;
    const log = await ui.output();
    assert.match(log, /agentMemory\.moveSource: Every location the runtime reads is taken/);
    await vscode.commands.executeCommand("workbench.action.closePanel");
  });
});
