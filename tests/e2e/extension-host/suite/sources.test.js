// The view "Sources": its rows, what can be done with each, by mouse and keyboard, and its welcomes.
const assert = require("node:assert/strict");
const fs = require("node:fs");
const vscode = require("vscode");
const { note } = require("./record");
const { MEMORY, USER_MEMORY, codes, file, make, open, read, readLogs, run, set, tidyUp, until } =
  require("./support");
const { answer } = require("./dialogs");
const { fail, useFailingServer } = require("./failing");
const { person } = require("./person");

const VIEW = "Sources";
const OTHER = file(".deepagents/AGENTS.md");
const rows = () => person.rows(VIEW);
const active = () => vscode.window.activeTextEditor?.document.uri.fsPath;

/** Wait until a row holds all of `texts`. */
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

  it("lists what is read in load order, with tokens and problems", async () => {
    await open(MEMORY);
    await until("the findings", () => codes(MEMORY).length === 2);
    await row(".deepagents/agent.md", "2nd", "tokens", "2 problems");
    const shown = await rows();
    const at = (text) => shown.findIndex((item) => item.includes(text));
    assert.ok(at("Read at the start of an agent") < at("1st") && at("1st") < at("2nd"), shown.join("\n"));
    note("provider", "createTreeView");
  });

  it("opens a file by click and by Enter", async () => {
    await person.pressOn(VIEW, "~/.deepagents/agent/agent.md", "Enter");
    await until("user memory", () => active() === USER_MEMORY.fsPath);
    await vscode.commands.executeCommand("agentMemory.sources.focus");
    await person.pressOn(VIEW, "2nd", "Enter");
    await until("the project's memory", () => active() === MEMORY.fsPath);
  });

  it("moveSource moves a file that is not read to where it is, and one undo moves it back", async () => {
    const text = read(MEMORY);
    await set("runtime", "deepagents-code");
    await row(".deepagents/agent.md");
    await person.rowAction(VIEW, ".deepagents/agent.md", "Move to Where It Is Read");
    await answer("Move the file", "Cancel");
    assert.equal(read(MEMORY), text);
    await person.rowMenu(VIEW, ".deepagents/agent.md", "Move to Where It Is Read");
    await answer("Move the file", "Move");
    await until("the file has moved", () => fs.existsSync(OTHER.fsPath) && !fs.existsSync(MEMORY.fsPath));
    assert.equal(read(OTHER), text);
    await row(".deepagents/AGENTS.md", "1st");
    await open(OTHER);
    await vscode.commands.executeCommand("undo");
    await until("it is back", () => fs.existsSync(MEMORY.fsPath) && !fs.existsSync(OTHER.fsPath));
  });

  it("createSource makes a missing file after a yes, and nothing after a no", async () => {
    await set("runtime", "deepagents-code");
    await row("Would be read");
    await person.expand(VIEW, "Would be read");
    await row(".deepagents/AGENTS.md");
    await person.rowAction(VIEW, ".deepagents/AGENTS.md", "Create File");
    await answer("Create it?", "Cancel");
    assert.equal(fs.existsSync(OTHER.fsPath), false);
    await person.rowMenu(VIEW, ".deepagents/AGENTS.md", "Create File");
    assert.match(await answer("Create it?", "Create"), /\.deepagents\/AGENTS\.md/);
    await until("the file", () => fs.existsSync(OTHER.fsPath));
    assert.match(read(OTHER), /^# Memory\n/);
    await until("it is open", () => active() === OTHER.fsPath);
    await row(".deepagents/AGENTS.md", "1st");
  });

  it("moveSource says so where the file cannot be moved", async () => {
    make("notes.md", "# Notes\n");
    make("taken.md", "# Taken\n");
    const node = (name) => ({ uri: file(name).toString(), path: file(name).fsPath });
    const done = run("moveSource", { source: node("notes.md"), moveTo: node("taken.md") });
    await answer("Move the file", "Move");
    await person.notification("could not be moved");
    await vscode.commands.executeCommand("notifications.clearAll");
    await done;
    assert.equal(read(file("taken.md")), "# Taken\n");
  });

  it("ignoreSource hides a file, showIgnoredSources brings it back", async () => {
    await person.rowMenu(VIEW, "2nd", "Ignore in This View");
    await until("it is hidden", async () => !(await rows()).some((item) => item.includes("2nd")));
    assert.ok(fs.existsSync(MEMORY.fsPath));
    await person.viewMenu(VIEW, "Show Ignored Sources");
    await row("2nd");
    const menu = await person.viewMenu(VIEW);
    assert.equal(menu.includes("Show Ignored Sources"), false, "nothing is ignored any more");
  });

  it("refreshSources looks anew, also for what no event tells of", async () => {
    await person.viewAction(VIEW, "Refresh Sources");
    await row("1st");
    make("agent.md", "# At the root\n");
    await person.viewAction(VIEW, "Refresh Sources");
    await row("agent.md", "not read");
  });

  it("createSource is what Enter does on a missing file", async () => {
    await row("Would be read");
    await person.expand(VIEW, "Would be read");
    await row("agent.mdmissing");
    await person.pressOn(VIEW, "agent.mdmissing", "Enter");
    await answer("Create it?", "Create");
    await until("it is open", () => active() === file("agent.md").fsPath);
    assert.ok(fs.existsSync(file("agent.md").fsPath));
  });

  it("commands of a row take the one that is chosen when a key calls them", async () => {
    await person.pressOn(VIEW, "2nd", "Enter");
    await until("it is chosen", () => active() === MEMORY.fsPath);
    // The extension is told of the selection a little after the file has opened.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await run("ignoreSource");
    await until("it is hidden", async () => !(await rows()).some((item) => item.includes("2nd")));
    await run("showIgnoredSources");
    await row("2nd");
  });

  it("says why nothing can be shown", async () => {
    await useFailingServer();
    await row("1st");
    fail("agentMemory/sources");
    await run("refreshSources");
    await until("the reason", async () =>
      /cannot be shown: the gauge is under water/.test(await person.words(VIEW)),
    );
    fail();
    await run("refreshSources");
    await row("1st");
    await until("no reason", async () => !/cannot be shown/.test(await person.words(VIEW)));
  });

  it("offers user memory and another runtime where there is no memory", async () => {
    await set("runtime", "claude-mpm");
    await until("the welcome", async () => /no memory yet/.test(await person.words(VIEW)));
    await person.welcome(VIEW, "Create User Memory");
    await person.notification("has no user memory file");
    await vscode.commands.executeCommand("notifications.clearAll");
    await person.welcome(VIEW, "Pick Runtime");
    await person.pick("deepagents-cli", true);
    await row("2nd");
  });

  it("offers to make the first file where there is none", async () => {
    await set("runtime", "claude-mpm");
    await until("the welcome", async () => /no memory yet/.test(await person.words(VIEW)));
    await person.welcome(VIEW, "Create Project Memory");
    await answer("Create it?", "Create");
    const made = file(".claude-mpm/memories/engineer_agent.md");
    await until("the file", () => fs.existsSync(made.fsPath));
    await row("engineer_agent.md", "1st");
  });

  it("leads to the setting, a restart and the log where the server does not run", async () => {
    await set("interpreter", "/nowhere/python");
    await until("the welcome", async () => /does not run/.test(await person.words(VIEW)));
    await person.welcome(VIEW, "Choose Python");
    assert.match(await person.sees(".settings-editor .setting-item-contents"), /Interpreter/);
    await vscode.commands.executeCommand("agentMemory.sources.focus");
    await person.welcome(VIEW, "Show Logs");
    await until("the log", async () =>
      /no usable Python/.test(await person.log()),
    );
    await vscode.commands.executeCommand("workbench.action.closePanel");
    await person.welcome(VIEW, "Restart Server");
    await person.notification("does not work: /nowhere/python");
    const tried = () => readLogs("Agent Memory").split("no usable Python").length;
    const before = tried();
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    assert.equal(tried(), before, "nothing is tried again and again");
    await set("interpreter", undefined);
    await row("1st");
  });
});
