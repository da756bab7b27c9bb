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
/** The ends of the rows of user and project memory: tokens and folder. */
const USER = "~/.deepagents/agent";
const PROJECT = "tok · .deepagents";
const rows = () => ui.rows(VIEW);
const active = () => vscode.window.activeTextEditor?.document.uri.fsPath;

/** Wait for a row that contains all `texts`. */
const row = (...texts) => {
  let shown = [];
  const find = async () => {
    shown = await rows();
    return shown.find((item) => texts.every((text) => item.includes(text)));
  };
  return until(`a row with ${texts.join(", ")}`, find, undefined, () => shown);
};

/** Wait until the view shows the initial files only: a row of the previous test may still be there. */
function initialRows() {
  let shown = [];
  const isInitial = async () => {
    shown = await rows();
    const has = (...texts) => shown.some((item) => texts.every((text) => item.includes(text)));
    const isOther = /^(Not read|Not created yet|AGENTS\.md)/;
    return has(USER) && has("agent.md", PROJECT) && !shown.some((item) => isOther.test(item));
  };
  return until("the initial rows", isInitial, undefined, () => shown);
}

describe("the view Sources", () => {
  beforeEach(async () => {
    await vscode.commands.executeCommand("agentMemory.sources.focus");
    await initialRows();
  });
  afterEach(tidyUp);

  it("lists loaded files in load order: name, tokens and folder; problems are a decoration", async () => {
    await open(MEMORY);
    await until("the findings", () => codes(MEMORY).length === 2);
    await row("agent.md", PROJECT);
    const shown = await rows();
    const at = (text) => shown.findIndex((item) => item.includes(text));
    assert.ok(at("Loaded at startup") < at(USER) && at(USER) < at(PROJECT), shown.join("\n"));
    assert.equal(shown.some((item) => /1st|problem/.test(item)), false, shown.join("\n"));
    await until("the decoration", async () => {
      const badge = await ui.visibleStyle(".sidebar .monaco-icon-label:has-text('tok · .deepagents')", "::after", "content");
      return badge.includes("1");
    });
    note("provider", "createTreeView");
  });

  it("rows have names that make sense alone, and tooltips with the facts", async () => {
    await open(MEMORY);
    await until("the findings", () => codes(MEMORY).length === 2);
    const label = await until("the problems", async () => {
      const text = await ui.rowLabel(VIEW, PROJECT);
      return /2 problems/.test(text) && text;
    });
    assert.match(label, /^agent\.md, project memory, loaded 2nd, \d+ tokens, 2 problems, \.deepagents/);
    const hover = await ui.rowHover(VIEW, PROJECT);
    for (const fact of [MEMORY.fsPath, "project memory", "loaded 2nd", "tokens", "2 problems"]) {
      assert.ok(hover.includes(fact), `${fact} in ${hover}`);
    }
  });

  it("the menu of a row has the usual actions of a file", async () => {
    const labels = await ui.rowMenu(VIEW, PROJECT);
    assert.deepEqual(labels, [
      "Open to the Side", "Preview Prompt from Here", "Why Is It Read or Not?",
      "Reveal in Explorer", "Copy Path", "Copy Relative Path", "Hide from This List",
    ]);
    await ui.rowMenu(VIEW, PROJECT, "Copy Path");
    await until("the path", async () => (await vscode.env.clipboard.readText()) === MEMORY.fsPath);
    await ui.rowMenu(VIEW, PROJECT, "Copy Relative Path");
    await until("the path", async () => (await vscode.env.clipboard.readText()) === ".deepagents/agent.md");
    await open(file("src/tides.py"));
    await ui.rowMenu(VIEW, PROJECT, "Open to the Side");
    await until("it is in the second column", () =>
      vscode.window.visibleTextEditors.some(({ document, viewColumn }) =>
        document.uri.fsPath === MEMORY.fsPath && viewColumn === vscode.ViewColumn.Two));
    await ui.rowMenu(VIEW, PROJECT, "Reveal in Explorer");
    await until("the Explorer", async () => /agent\.md/.test(await ui.visibleText(".explorer-folders-view .monaco-list-row.selected, .explorer-folders-view .monaco-list-row.focused")));
    await vscode.commands.executeCommand("agentMemory.sources.focus");
  });

  it("the activity bar has the number of errors in memory files", async () => {
    const errors = () => vscode.languages.getDiagnostics().flatMap(([, found]) => found)
      .filter(({ source, severity }) => source === "agent-memory" && severity === vscode.DiagnosticSeverity.Error).length;
    await until("an error", () => errors() > 0);
    const badge = ".activitybar .action-item:has([aria-label^='Agent Memory']) .badge-content";
    await until("the badge", async () => Number(await ui.visibleText(badge)) === errors());
  });

  it("explains for each agent why a file is read or not, and shows it in its prompt", async () => {
    await ui.rowMenu(VIEW, PROJECT, "Why Is It Read or Not?");
    const [first] = await ui.pick("deepagentsdk", true);
    assert.match(first, /deepagentsdk.*loaded.*2/i);
    await until("the explanation", async () => /deepagentsdk loads \.deepagents\/agent\.md/.test(await ui.panel("#why")));
    await ui.rowAction(VIEW, PROJECT, "Preview Prompt from Here");
    assert.match(await ui.panel("#total"), /tokens/);
  });

  it("lists known files of other agents as not read, with one action", async () => {
    make("CLAUDE.md", "# Claude\n\n- Short answers\n");
    await ui.viewAction(VIEW, "Refresh Sources");
    const shown = await row("CLAUDE.md");
    assert.match(shown, /^CLAUDE\.md\d+ tok$/);
    const label = await ui.rowLabel(VIEW, "CLAUDE.md");
    assert.match(label, /^CLAUDE\.md, project memory, not read, \d+ tokens, .*deepagentsdk/);
    await ui.rowMenu(VIEW, "CLAUDE.md", "Apply Suggestion");
    await until("the advised file", () => active() === MEMORY.fsPath);
  });

  it("a file is not opened in the place of the preview", async () => {
    await run("previewPrompt");
    await ui.panelClick("#total");
    await until("the preview is active", () => vscode.window.tabGroups.activeTabGroup.activeTab?.input?.viewType?.includes("agentMemory"));
    const { viewColumn } = vscode.window.tabGroups.activeTabGroup;
    await vscode.commands.executeCommand("agentMemory.sources.focus");
    await ui.pressOn(VIEW, USER, "Enter");
    await until("user memory", () => active() === USER_MEMORY.fsPath);
    assert.notEqual(vscode.window.activeTextEditor.viewColumn, viewColumn);
    const tabs = vscode.window.tabGroups.all.map((group) => group.activeTab?.input?.viewType ?? "");
    assert.ok(tabs.some((type) => type.includes("agentMemory")), "the preview is still visible");
    note("command", "agentMemory.openSource");
  });

  it("lists no location that would not be read", async () => {
    assert.equal((await rows()).some((item) => item.includes("Not created yet")), false, (await rows()).join("\n"));
  });

  it("opens a file on Enter", async () => {
    await ui.pressOn(VIEW, USER, "Enter");
    await until("user memory", () => active() === USER_MEMORY.fsPath);
    await vscode.commands.executeCommand("agentMemory.sources.focus");
    await ui.pressOn(VIEW, PROJECT, "Enter");
    await until("the project's memory", () => active() === MEMORY.fsPath);
  });

  it("moveSource moves an unread file to a loaded location, and undo moves it back", async () => {
    const text = read(MEMORY);
    await set("runtime", "deepagents-code");
    await row(PROJECT);
    await ui.rowAction(VIEW, PROJECT, "Move to Loaded Location");
    await answer("Move this file", "Cancel");
    assert.equal(read(MEMORY), text);
    await ui.rowMenu(VIEW, PROJECT, "Move to Loaded Location");
    await answer("Move this file", "Move");
    await until("the file has moved", () => fs.existsSync(OTHER.fsPath) && !fs.existsSync(MEMORY.fsPath));
    assert.equal(read(OTHER), text);
    await row("AGENTS.md", PROJECT);
    await open(OTHER);
    await vscode.commands.executeCommand("undo");
    await until("it is back", () => fs.existsSync(MEMORY.fsPath) && !fs.existsSync(OTHER.fsPath));
  });

  it("createSource creates a missing file only after confirmation", async () => {
    await set("runtime", "deepagents-code");
    await row("Not created yet");
    await ui.expand(VIEW, "Not created yet");
    await row("AGENTS.md.deepagents");
    await ui.rowAction(VIEW, "AGENTS.md.deepagents", "Create File");
    await answer("Create it?", "Cancel");
    assert.equal(fs.existsSync(OTHER.fsPath), false);
    await ui.rowMenu(VIEW, "AGENTS.md.deepagents", "Create File");
    assert.match(await answer("Create it?", "Create"), /\.deepagents\/AGENTS\.md/);
    // VS Code creates the file before it writes the content.
    await until("the file", () => fs.existsSync(OTHER.fsPath) && read(OTHER) !== "");
    assert.match(read(OTHER), /^# Memory\n/);
    await until("it is open", () => active() === OTHER.fsPath);
    // The findings of a file that another test moved here may still be shown.
    await until("a new file has no findings", () => codes(OTHER).length === 0);
    await row("AGENTS.md", PROJECT);
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
    await ui.rowMenu(VIEW, PROJECT, "Hide from This List");
    await until("it is hidden", async () => !(await rows()).some((item) => item.includes(PROJECT)));
    assert.ok(fs.existsSync(MEMORY.fsPath));
    await ui.viewMenu(VIEW, "Show Hidden Sources");
    await row(PROJECT);
    const menu = await ui.viewMenu(VIEW);
    assert.equal(menu.includes("Show Hidden Sources"), false, "nothing is ignored any more");
  });

  it("refreshSources finds files without a change event", async () => {
    await ui.viewAction(VIEW, "Refresh Sources");
    await row(USER);
    make("agent.md", "# At the root\n");
    await ui.viewAction(VIEW, "Refresh Sources");
    await row("Not read");
    await row("agent.md5 tok");
  });

  it("a deleted file that no agent reads disappears without a refresh", async () => {
    make("agent.md", "# At the root\n");
    await until("the file is listed", async () => {
      await run("refreshSources"); // the server lists the files of a project every few seconds
      await new Promise((resolve) => setTimeout(resolve, 500)); // longer than the debounce
      return (await rows()).some((item) => item.includes("agent.md5 tok"));
    });
    fs.rmSync(file("agent.md").fsPath);
    await initialRows();
    note("provider", "createFileSystemWatcher");
  });

  it("Enter on a missing file runs createSource", async () => {
    await set("runtime", "deepagents-code");
    await row("Not created yet");
    await ui.expand(VIEW, "Not created yet");
    await row("AGENTS.md.deepagents");
    await ui.pressOn(VIEW, "AGENTS.md.deepagents", "Enter");
    await answer("Create it?", "Create");
    await until("it is open", () => active() === OTHER.fsPath);
    assert.ok(fs.existsSync(OTHER.fsPath));
  });

  it("row commands use the selected row when run by a key", async () => {
    // A refresh of the view takes the focus from the row: press again.
    await until("the selected file", async () => {
      await ui.pressOn(VIEW, PROJECT, "Enter");
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return active() === MEMORY.fsPath;
    });
    // The extension receives the selection shortly after the file has opened.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await run("hideSource");
    await until("it is hidden", async () => !(await rows()).some((item) => item.includes(PROJECT)));
    await run("showHiddenSources");
    await row(PROJECT);
  });

  it("shows why no sources are available", async () => {
    await useFailingServer();
    await row(USER);
    fail("agentMemory/sources");
    await run("refreshSources");
    await until("the reason", async () =>
      /Cannot show sources: the gauge is under water/.test(await ui.text(VIEW)),
    );
    fail();
    await run("refreshSources");
    await row(USER);
    await until("no reason", async () => !/Cannot show/.test(await ui.text(VIEW)));
  });

  it("offers user memory and another runtime if there is no memory", async () => {
    fs.rmSync(MEMORY.fsPath);
    await set("runtime", "claude-mpm");
    await until("the welcome", async () => /no memory yet/.test(await ui.text(VIEW)));
    await ui.welcome(VIEW, "Create User Memory");
    await ui.notification("has no user memory file");
    await vscode.commands.executeCommand("notifications.clearAll");
    await ui.welcome(VIEW, "Select Runtime");
    await ui.pick("deepagents-cli", true);
    await row(USER);
  });

  it("offers to create the first file", async () => {
    fs.rmSync(MEMORY.fsPath);
    await set("runtime", "claude-mpm");
    await until("the welcome", async () => /no memory yet/.test(await ui.text(VIEW)));
    await ui.welcome(VIEW, "Create Project Memory");
    await answer("Create it?", "Create");
    const created = file(".claude-mpm/memories/engineer_agent.md");
    await until("the file", () => fs.existsSync(created.fsPath));
    await row("engineer_agent.md", ".claude-mpm/memories");
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
    await row(USER);
  });
});
