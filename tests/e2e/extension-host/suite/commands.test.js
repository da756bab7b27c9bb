const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");
const { note } = require("./record");
const { EXTENSION, MEMORY, USER_MEMORY, information, open, processes, prompt, run, tidyUp, until } =
  require("./support");
const { person } = require("./person");

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

  it("previewPrompt opens one panel, also when it is asked for twice", async () => {
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

  it("copyDebugInformation copies versions and no content", async () => {
    await vscode.env.clipboard.writeText("");
    await run("copyDebugInformation");
    const text = await until("the clipboard", () => vscode.env.clipboard.readText());
    assert.match(text, new RegExp(EXTENSION.packageJSON.version.replaceAll(".", "\\.")));
    assert.match(text, /3\.\d+\.\d+/, "the version of Python");
    assert.equal(text.includes("chart datum"), false);
  });

  it("restartServer starts it anew, and it answers", async () => {
    const before = await until("a server", () => processes("serve")[0]);
    await run("restartServer");
    assert.match((await prompt()).text, /Heights are metres/);
    const after = processes("serve").map(({ pid }) => pid);
    assert.equal(after.length, 1);
    assert.notEqual(after[0], before.pid);
  });

  it("showLogs shows the log, which names the Python that runs", async () => {
    await run("showLogs");
    const { interpreter } = await information();
    const log = await until("the log", () =>
      person.log(),
    );
    assert.match(log, new RegExp(`Python ${interpreter.version.join(".")}`));
    note("provider", "createOutputChannel");
    await vscode.commands.executeCommand("workbench.action.closePanel");
  });

  it("openWalkthrough opens the tour, with a step for each thing", async () => {
    await run("openWalkthrough");
    const shown = await person.sees(".gettingStartedDetailsContent");
    for (const { title } of EXTENSION.packageJSON.contributes.walkthroughs[0].steps) {
      assert.ok(shown.includes(title), `${title} in ${shown}`);
    }
  });

  it("pickRuntime and pickAgent write the choice as a setting", async () => {
    const theirs = path.join(path.dirname(USER_MEMORY.fsPath), "..", "reviewer", "agent.md");
    fs.mkdirSync(path.dirname(theirs), { recursive: true });
    fs.writeFileSync(theirs, "# Reviewer\n");
    const chosen = (key) => vscode.workspace.getConfiguration("agentMemory", MEMORY).get(key);
    for (const [command, key, label, value] of [
      ["pickRuntime", "runtime", "deepagents-cli", "deepagents-cli"],
      ["pickAgent", "agent", "reviewer", "reviewer"],
    ]) {
      const done = run(command);
      await person.pick(label, true);
      await done;
      assert.equal(chosen(key), value);
    }
    await until("it is theirs", async () => {
      const { runtime, agent } = await prompt();
      return runtime === "deepagents-cli" && agent === "reviewer";
    });
  });

  it("show what fails, with a way to the log", async () => {
    const done = run("moveSource", { source: { uri: MEMORY.toString(), path: MEMORY.fsPath } });
    await person.notification("no free place", "Show Logs");
    await done;
    const log = await person.log();
    assert.match(log, /agentMemory\.moveSource: There is no free place/);
    await vscode.commands.executeCommand("workbench.action.closePanel");
  });
});
