// The Sources view: its rows, their actions by mouse and keyboard, and its welcome content.
const assert = require("node:assert/strict");
const fs = require("node:fs");
const vscode = require("vscode");
const { note } = require("./usage");
const { MEMORY, USER_MEMORY, codes, file, make, open, read, readLogs, run, set, tidyUp, until } =
  require("./support");
const { answer } = require("./dialogs");
const { fail, useFailingServer } = require("./failing-server");
const { ui } = require("./ui");

const VIEW = "Sources";
const OTHER = file(".deepagents/AGENTS.md");
const rows = () => ui.rows(VIEW);
const active = () => vscode.window.activeTextEditor?.document.uri.fsPath;

/** Wait for a row that contains all `texts`. */
const row = (...texts) =>
  until(`a row with ${texts.join(", ")}`, async () =>
    (await rows()).find((item) => texts.every((text) => item.includes(text))),
  );

describe("the view Sources", () => {
  beforeEach(async () => {
    await vscode.commands.executeCommand("agentMemory.sources.focus");
    await row("agent.md", "1st");
  });
  afterEach(tidyUp);

  it("lists loaded files in load order, with tokens and problems", async () => {
    await open(MEMORY);
    await until("the findings", () => codes(MEMORY).length === 2);
    await row(".deepagents/agent.md", "2nd", "tokens", "2 problems");
    const shown = await rows();
    const at = (text) => shown.findIndex((item) => item.includes(text));
    assert.ok(at("Loaded at startup") < at("1st") && at("1st") < at("2nd"), shown.join("\n"));
    note("provider", "createTreeView");
  });

  it("opens a file on Enter", async () => {
    await ui.pressOn(VIEW, "~/.deepagents/agent/agent.md", "Enter");
    await until("user memory", () => active() === USER_MEMORY.fsPath);
    await vscode.commands.executeCommand("agentMemory.sources.focus");
    await ui.pressOn(VIEW, "2nd", "Enter");
    await until("the project's memory", () => active() === MEMORY.fsPath);
  });

  it("moveSource moves an unread file to a loaded location, and undo moves it back", async () => {
    const text = read(MEMORY);
    await set("runtime", "deepagents-code");
    await row(".deepagents/agent.md");
    await ui.rowAction(VIEW, ".deepagents/agent.md", "Move to Loaded Location");
    await answer("Move this file", "Cancel");
    assert.equal(read(MEMORY), text);
    await ui.rowMenu(VIEW, ".deepagents/agent.md", "Move to Loaded Location");
    await answer("Move this file", "Move");
    await until("the file has moved", () => fs.existsSync(OTHER.fsPath) && !fs.existsSync(MEMORY.fsPath));
    assert.equal(read(OTHER), text);
    await row(".deepagents/AGENTS.md", "1st");
    await open(OTHER);
    await vscode.commands.executeCommand("undo");
    await until("it is back", () => fs.existsSync(MEMORY.fsPath) && !fs.existsSync(OTHER.fsPath));
  });

  it("createSource creates a missing file only after confirmation", async () => {
    await set("runtime", "deepagents-code");
    await row("Not created yet");
    await ui.expand(VIEW, "Not created yet");
    await row(".deepagents/AGENTS.md");
    await ui.rowAction(VIEW, ".deepagents/AGENTS.md", "Create File");
    await answer("Create it?", "Cancel");
    assert.equal(fs.existsSync(OTHER.fsPath), false);
    await ui.rowMenu(VIEW, ".deepagents/AGENTS.md", "Create File");
    assert.match(await answer("Create it?", "Create"), /\.deepagents\/AGENTS\.md/);
    // VS Code creates the file before it writes the content.
    await until("the file", () => fs.existsSync(OTHER.fsPath) && read(OTHER) !== "");
    assert.match(read(OTHER), /^# Memory\n/);
    await until("it is open", () => active() === OTHER.fsPath);
    await row(".deepagents/AGENTS.md", "1st");
  });

  it("moveSource shows an error if the file cannot be moved", async () => {
    make("notes.md", "# Notes\n");
    make("taken.md", "# Taken\n");
    const node = (name) => ({ uri: file(name).toString(), path: file(name).fsPath });
    const done = run("moveSource", { source: node("notes.md"), moveTo: node("taken.md") });
    await answer("Move this file", "Move");
    await ui.notification("Cannot move");
    await vscode.commands.executeCommand("notifications.clearAll");
    await done;
    assert.equal(read(file("taken.md")), "# Taken\n");
  });

  it("hideSource hides a file, showHiddenSources shows it again", async () => {
    await ui.rowMenu(VIEW, "2nd", "Hide from List");
    await until("it is hidden", async () => !(await rows()).some((item) => item.includes("2nd")));
    assert.ok(fs.existsSync(MEMORY.fsPath));
    await ui.viewMenu(VIEW, "Show Hidden Sources");
    await row("2nd");
    const menu = await ui.viewMenu(VIEW);
    assert.equal(menu.includes("Show Hidden Sources"), false, "nothing is ignored any more");
  });

  it("refreshSources finds files without a change event", async () => {
    await ui.viewAction(VIEW, "Refresh Sources");
    await row("1st");
    make("agent.md", "# At the root\n");
    await ui.viewAction(VIEW, "Refresh Sources");
    await row("agent.md", "not read");
  });

  it("Enter on a missing file runs createSource", async () => {
    await row("Not created yet");
    await ui.expand(VIEW, "Not created yet");
    await row("agent.mdnot created");
    await ui.pressOn(VIEW, "agent.mdnot created", "Enter");
    await answer("Create it?", "Create");
    await until("it is open", () => active() === file("agent.md").fsPath);
    assert.ok(fs.existsSync(file("agent.md").fsPath));
  });

  it("row commands use the selected row when run by a key", async () => {
    await ui.pressOn(VIEW, "2nd", "Enter");
    await until("the selected file", () => active() === MEMORY.fsPath);
    // The extension receives the selection shortly after the file has opened.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await run("hideSource");
    await until("it is hidden", async () => !(await rows()).some((item) => item.includes("2nd")));
    await run("showHiddenSources");
    await row("2nd");
  });

  it("shows why no sources are available", async () => {
    await useFailingServer();
    await row("1st");
    fail("agentMemory/sources");
    await run("refreshSources");
    await until("the reason", async () =>
      /Cannot show sources: the gauge is under water/.test(await ui.text(VIEW)),
    );
    fail();
    await run("refreshSources");
    await row("1st");
    await until("no reason", async () => !/Cannot show/.test(await ui.text(VIEW)));
  });

  it("offers user memory and another runtime if there is no memory", async () => {
    await set("runtime", "claude-mpm");
    await until("the welcome", async () => /no memory yet/.test(await ui.text(VIEW)));
    await ui.welcome(VIEW, "Create User Memory");
    await ui.notification("has no user memory file");
    await vscode.commands.executeCommand("notifications.clearAll");
    await ui.welcome(VIEW, "Select Runtime");
    await ui.pick("deepagents-cli", true);
    await row("2nd");
  });

  it("offers to create the first file", async () => {
    await set("runtime", "claude-mpm");
    await until("the welcome", async () => /no memory yet/.test(await ui.text(VIEW)));
    await ui.welcome(VIEW, "Create Project Memory");
    await answer("Create it?", "Create");
    const created = file(".claude-mpm/memories/engineer_agent.md");
    await until("the file", () => fs.existsSync(created.fsPath));
    await row("engineer_agent.md", "1st");
  });

  it("links to the setting, a restart and the log if the server cannot run", async () => {
    await set("interpreter", "/nowhere/python");
    await until("the welcome", async () => /isn't running/.test(await ui.text(VIEW)));
    await ui.welcome(VIEW, "Choose Python");
    await ui.pick("Open Setting", true);
    assert.match(await ui.visibleText(".settings-editor .setting-item-contents"), /Interpreter/);
    await vscode.commands.executeCommand("agentMemory.sources.focus");
    await ui.welcome(VIEW, "Show Logs");
    await until("the log", async () =>
      /no usable Python/.test(await ui.output()),
    );
    await vscode.commands.executeCommand("workbench.action.closePanel");
    const attempts = () => readLogs("Agent Memory").split("no usable Python").length;
    const before = attempts();
    await ui.welcome(VIEW, "Restart Server");
    await until("the restart has failed", () => attempts() > before);
    await ui.notification("wasn't found: /nowhere/python");
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    assert.equal(attempts(), before + 1, "a failed start is not repeated");
    await set("interpreter", undefined);
    await row("1st");
  });
});
