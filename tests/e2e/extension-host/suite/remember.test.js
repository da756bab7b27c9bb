// "Remember This": from the palette, from the menu of the editor, and into every target.
const assert = require("node:assert/strict");
const vscode = require("vscode");
const { MEMORY, USER_MEMORY, file, open, read, run, tidyUp, until } = require("./support");
const { ui } = require("./ui");

const TEXT = "The gauge is read at the full hour";
const USERS = "~/.deepagents/agent/agent.md";

/** Select the comment in the source file. */
async function select() {
  const editor = await open(file("src/tides.py"));
  const line = editor.document.getText().split("\n").findIndex((item) => item.includes(TEXT));
  editor.selection = new vscode.Selection(line, 0, line, editor.document.lineAt(line).text.length);
}

/** The required answers and the target file of each command. */
const TARGETS = {
  InProject: { label: "In Project Memory", uri: MEMORY, answer: async () => {} },
  InUser: { label: "In User Memory", uri: USER_MEMORY, answer: async () => {} },
  InFile: {
    label: "In Another Memory File…",
    uri: USER_MEMORY,
    answer: () => ui.pick(USERS, true),
  },
  Choose: {
    label: "Choose Section…",
    uri: MEMORY,
    answer: () => ui.pick("Lessons", true),
    under: "## Lessons",
  },
};

describe("remember", () => {
  afterEach(tidyUp);

  for (const [name, { label, uri, answer, under }] of Object.entries(TARGETS)) {
    const ways = {
      [`remember${name}`]: () => run(`remember${name}`),
      [`the menu entry "${label}"`]: () => ui.editorMenu(TEXT, "Remember This", label),
    };
    for (const [way, start] of Object.entries(ways)) {
      it(`${way} saves the selection as one undoable edit`, async () => {
        const first = read(uri);
        const document = await vscode.workspace.openTextDocument(uri);
        await until("the editor shows the file on disk", () => document.getText() === first);
        await select();
        // The command may end only after its notification, so it is not awaited.
        const done = start();
        await answer();
        await until("the item on disk", () => read(uri).includes(`- ${TEXT}`));
        if (under) {
          assert.ok(read(uri).indexOf(TEXT) > read(uri).indexOf(under));
        }
        await vscode.commands.executeCommand("notifications.clearAll");
        await done;
        await open(uri);
        await vscode.commands.executeCommand("undo");
        assert.equal(document.getText(), first);
        await document.save();
        assert.equal(read(uri), first);
      });
    }
  }

  it("reports the location, with a button that undoes the edit", async () => {
    const first = read(MEMORY);
    await select();
    const done = run("rememberInProject");
    await until("the item on disk", () => read(MEMORY).includes(TEXT));
    await ui.notification("Added to Project Memory", "Undo");
    await done;
    await until("the original file on disk", () => read(MEMORY) === first);
  });

  it("its button Undo refuses after further typing, which is kept like the item", async () => {
    const document = await vscode.workspace.openTextDocument(MEMORY);
    await until("the editor shows the file on disk", () => document.getText() === read(MEMORY));
    await select();
    const done = run("rememberInProject");
    await until("the item on disk", () => read(MEMORY).includes(TEXT));
    const edit = new vscode.WorkspaceEdit();
    edit.insert(MEMORY, new vscode.Position(0, 0), "<!-- typed later -->\n");
    await vscode.workspace.applyEdit(edit);
    await ui.notification("(line 13)", "Undo");
    await ui.notification("has changed since");
    await vscode.commands.executeCommand("notifications.clearAll");
    await done;
    assert.match(document.getText(), /^<!-- typed later -->\n/);
    assert.ok(document.getText().includes(TEXT));
  });

  it("asks for a selection if there is none", async () => {
    const editor = await open(file("src/tides.py"));
    editor.selection = new vscode.Selection(0, 0, 0, 0);
    const done = run("rememberInProject");
    await ui.notification("Select the text to remember first.");
    await vscode.commands.executeCommand("notifications.clearAll");
    await done;
  });
});
