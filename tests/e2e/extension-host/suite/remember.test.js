// "Remember This": from the palette, from the menu of the editor, and into every target.
const assert = require("node:assert/strict");
const vscode = require("vscode");
const { MEMORY, USER_MEMORY, file, make, open, read, run, set, tidyUp, undo, until } = require("./support");
const { ui } = require("./ui");
const { note } = require("./usage");

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
        await ui.saveItem("Save to");
        await until("the item on disk", () => read(uri).includes(`- ${TEXT}`));
        if (under) {
          assert.ok(read(uri).indexOf(TEXT) > read(uri).indexOf(under));
        }
        await vscode.commands.executeCommand("notifications.clearAll");
        await done;
        await open(uri);
        await undo(document);
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
    await ui.saveItem("Save to Project Memory > ");
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
    await ui.saveItem("Save to");
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

  it("asks for the text if there is no selection", async () => {
    const editor = await open(file("src/tides.py"));
    editor.selection = new vscode.Selection(0, 0, 0, 0);
    const done = run("rememberInProject");
    await ui.question("Remember in Project Memory");
    await ui.type("Never trust the printed tables");
    await ui.press("Enter");
    await ui.saveItem("Save to Project Memory > Lessons");
    await until("the item on disk", () => read(MEMORY).includes("- Never trust the printed tables"));
    await vscode.commands.executeCommand("notifications.clearAll");
    await done;
  });

  it("shows a list as one row per item, and saves a numbered list as one list", async () => {
    make("steps.md", "1. Read the gauge\n2. Round to centimetres\n3. Write it down\n");
    const editor = await open(file("steps.md"));
    editor.selection = new vscode.Selection(0, 0, 2, 99);
    note("provider", "createInputBox");
    const done = run("rememberInProject");
    await ui.question("Save 3 items to Project Memory > ");
    const rows = await ui.pick("Round to centimetres"); // a row keeps the hidden text of an earlier list
    assert.equal(rows.length, 3);
    assert.ok(["Read the gauge", "Round to centimetres", "Write it down"].every((text, index) => rows[index].startsWith(text)));
    await ui.saveItem("Save 3 items");
    await until("the items on disk", () =>
      read(MEMORY).includes("\n1. Read the gauge\n2. Round to centimetres\n3. Write it down\n"),
    );
    await ui.notification("Added 3 items to Project Memory");
    await vscode.commands.executeCommand("notifications.clearAll");
    await done;
  });

  it("says that no heading fits", async () => {
    make("notes.txt", "Invoices stay immutable\n");
    const editor = await open(file("notes.txt"));
    editor.selection = new vscode.Selection(0, 0, 0, 99);
    const done = run("rememberInProject");
    await ui.question("Save to Project Memory > Lessons");
    assert.match(await ui.visibleText(".quick-input-widget"), /No heading fits, so it is under the last one\./);
    await ui.press("Escape");
    await done;
    assert.equal(read(MEMORY).includes("immutable"), false);
  });

  it("saves the earlier version in a diff, in the project of its file", async () => {
    const earlier = vscode.Uri.parse(`earlier:${file("src/tides.py").path}`);
    const content = { provideTextDocumentContent: () => `# ${TEXT} and never between.\n` };
    const provider = vscode.workspace.registerTextDocumentContentProvider("earlier", content);
    await vscode.commands.executeCommand("vscode.diff", earlier, file("src/tides.py"), "tides.py");
    await vscode.commands.executeCommand("workbench.action.compareEditor.focusSecondarySide");
    await until("the left side has the focus", () => vscode.window.activeTextEditor?.document.uri.scheme === "earlier");
    const editor = vscode.window.activeTextEditor;
    editor.selection = new vscode.Selection(0, 0, 0, editor.document.lineAt(0).text.length);
    const done = run("rememberInProject");
    await ui.saveItem("Save to Project Memory");
    await until("the item on disk", () => read(MEMORY).includes(`- ${TEXT} and never between`));
    await vscode.commands.executeCommand("notifications.clearAll");
    await done;
    provider.dispose();
  });

  it("saves at once if the setting remember.confirm is off", async () => {
    await set("remember.confirm", false);
    await select();
    const done = run("rememberInProject");
    await until("the item on disk", () => read(MEMORY).includes(TEXT));
    await vscode.commands.executeCommand("notifications.clearAll");
    await done;
  });

  it("saves the selection of the terminal, without its prompt", async () => {
    await vscode.env.clipboard.writeText("kept");
    const terminal = vscode.window.createTerminal({ name: "remember", shellPath: "/bin/sh", env: { PS1: "$ " } });
    terminal.show();
    await until("the shell has the focus", () => vscode.window.activeTerminal === terminal);
    let sentAt = 0;
    await until("its output", async () => {
      if (Date.now() - sentAt > 5_000) { // a shell that starts slowly can lose its first input
        terminal.show();
        terminal.sendText("echo Round the heights down");
        sentAt = Date.now();
      }
      await vscode.commands.executeCommand("workbench.action.terminal.selectAll");
      await vscode.commands.executeCommand("workbench.action.terminal.copySelection");
      return /\nRound the heights down/.test(await vscode.env.clipboard.readText());
    });
    await vscode.env.clipboard.writeText("kept");
    const done = run("rememberTerminal");
    await ui.saveItem("Save to Project Memory");
    await until("the item on disk", () => /\n```text\n[^`]*\nRound the heights down/.test(read(MEMORY)));
    assert.equal(await vscode.env.clipboard.readText(), "kept");
    await vscode.commands.executeCommand("notifications.clearAll");
    await done;
    terminal.dispose();
    await vscode.commands.executeCommand("workbench.action.closePanel");
  });
});
