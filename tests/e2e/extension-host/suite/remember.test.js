// "Remember This": from the palette, from the menu of the editor, and into every target.
const assert = require("node:assert/strict");
const vscode = require("vscode");
const { MEMORY, USER_MEMORY, file, open, read, run, tidyUp, until } = require("./support");
const { person } = require("./person");

const SAID = "The gauge is read at the full hour";
const USERS = "~/.deepagents/agent/agent.md";

/** Select the line of the source that is worth remembering. */
async function select() {
  const editor = await open(file("src/tides.py"));
  const line = editor.document.getText().split("\n").findIndex((item) => item.includes(SAID));
  editor.selection = new vscode.Selection(line, 0, line, editor.document.lineAt(line).text.length);
}

/** What a person has to answer on the way, and where the item goes. */
const TARGETS = {
  InProject: { label: "In Project Memory", uri: MEMORY, answer: async () => {} },
  InUser: { label: "In User Memory", uri: USER_MEMORY, answer: async () => {} },
  InFile: {
    label: "In Another Memory File…",
    uri: USER_MEMORY,
    answer: () => person.pick(USERS, true),
  },
  Choose: {
    label: "Choose Section…",
    uri: MEMORY,
    answer: () => person.pick("Lessons", true),
    under: "## Lessons",
  },
};

describe("remember", () => {
  afterEach(tidyUp);

  for (const [name, { label, uri, answer, under }] of Object.entries(TARGETS)) {
    const ways = {
      [`remember${name}`]: () => run(`remember${name}`),
      [`the menu entry "${label}"`]: () => person.editorMenu(SAID, "Remember This", label),
    };
    for (const [way, start] of Object.entries(ways)) {
      it(`${way} files the selection, and one undo takes it back`, async () => {
        const first = read(uri);
        const document = await vscode.workspace.openTextDocument(uri);
        await until("the editor holds what is on disk", () => document.getText() === first);
        await select();
        // A command ends when its message is answered or gone: it is not waited for.
        const done = start();
        await answer();
        await until("the item on disk", () => read(uri).includes(`- ${SAID}`));
        if (under) {
          assert.ok(read(uri).indexOf(SAID) > read(uri).indexOf(under));
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

  it("says where it went, and its button takes it back", async () => {
    const first = read(MEMORY);
    await select();
    const done = run("rememberInProject");
    await until("the item on disk", () => read(MEMORY).includes(SAID));
    await person.notification("Added to Project Memory", "Undo");
    await done;
    await until("it is gone from disk", () => read(MEMORY) === first);
  });

  it("asks for a selection where there is none", async () => {
    const editor = await open(file("src/tides.py"));
    editor.selection = new vscode.Selection(0, 0, 0, 0);
    const done = run("rememberInProject");
    await person.notification("Select the text to remember first.");
    await vscode.commands.executeCommand("notifications.clearAll");
    await done;
  });
});
