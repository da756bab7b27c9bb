const assert = require("node:assert/strict");
const fs = require("node:fs");
const vscode = require("vscode");
const { EXTENSION, MEMORY, file, open, restoreSettings, until } = require("./support");

const run = (name, ...args) => vscode.commands.executeCommand(`agentMemory.${name}`, ...args);
const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs);
const active = () => vscode.window.activeTextEditor?.document;

/** Select the line of a file that holds `text`. */
async function select(uri, text) {
  const editor = await open(uri);
  const line = editor.document.getText().split("\n").findIndex((item) => item.includes(text));
  editor.selection = new vscode.Selection(line, 0, line, editor.document.lineAt(line).text.length);
}

describe("commands", () => {
  afterEach(async () => {
    await vscode.commands.executeCommand("notifications.clearAll");
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await restoreSettings();
  });

  for (const [scope, command, uri] of [
    ["project", "rememberInProject", () => MEMORY],
    ["user", "rememberInUser", () => userMemory()],
  ]) {
    it(`${command} files the selection in ${scope} memory, and one undo takes it back`, async () => {
      const before = fs.readFileSync(uri().fsPath, "utf8");
      // What other tests wrote behind the editor's back has arrived in it.
      const document = await vscode.workspace.openTextDocument(uri());
      await until("the editor holds what is on disk", () => document.getText() === before);
      await select(file("src/tides.py"), "The gauge is read");
      // The command ends when its message is answered or gone: it is not waited for.
      const done = run(command);
      await until("the item on disk", () =>
        fs.readFileSync(uri().fsPath, "utf8").includes("The gauge is read at the full hour"),
      );
      await vscode.commands.executeCommand("notifications.clearAll");
      await done;
      await open(uri());
      await vscode.commands.executeCommand("undo");
      assert.equal(active().getText(), before);
      await active().save();
    });
  }

  it("openUserMemory and openProjectMemory open the files", async () => {
    await run("openUserMemory");
    assert.equal(active().uri.fsPath, userMemory().fsPath);
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
    const { prompt } = await vscode.commands.executeCommand("companion.describe");
    assert.equal(document.getText(), prompt.text);
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
    await run("restartServer");
    const { prompt } = await vscode.commands.executeCommand("companion.describe");
    assert.match(prompt.text, /Heights are metres/);
  });

  it("showLogs, refreshSources and openWalkthrough do what they say without a complaint", async () => {
    await run("showLogs");
    await run("refreshSources");
    await run("openWalkthrough");
  });

  it("pickRuntime and pickAgent write the choice as a setting", async () => {
    for (const [command, key] of [["pickRuntime", "runtime"], ["pickAgent", "agent"]]) {
      const done = run(command);
      // The list opens when the server has answered; its first entry is what is set already.
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      await vscode.commands.executeCommand("workbench.action.quickOpenSelectNext");
      await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
      await done;
      const value = vscode.workspace.getConfiguration("agentMemory").get(key);
      assert.notEqual(value, "auto", key);
      await vscode.workspace.getConfiguration("agentMemory").update(key, undefined, true);
      await vscode.workspace.getConfiguration("agentMemory").update(key, undefined, false);
    }
  });
});

function userMemory() {
  return vscode.Uri.file(`${process.env.WORLD_HOME}/.deepagents/agent/agent.md`);
}
