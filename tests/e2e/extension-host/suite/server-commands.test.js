// The server's commands, which its code lenses and code actions use.
const assert = require("node:assert/strict");
const vscode = require("vscode");
const { note } = require("./usage");
const { MEMORY, USER_MEMORY, file, make, open, prompt, read, run, set, tidyUp, undo, until } =
  require("./support");

const server = (name, argument) => run(`server.${name}`, argument);

describe("the server's commands", () => {
  afterEach(tidyUp);

  it("prompt and sources return the same as the requests", async () => {
    const there = { uri: MEMORY.toString() };
    assert.equal((await server("prompt", there)).text, (await prompt()).text);
    const { sources } = await server("sources", there);
    assert.ok(sources.some(({ path, order }) => path === MEMORY.fsPath && order === 2));
  });

  it("targets lists the available memory files", async () => {
    const { targets } = await server("targets", { uri: MEMORY.toString() });
    const paths = targets.map(({ path }) => path);
    assert.ok(paths.includes(MEMORY.fsPath) && paths.includes(USER_MEMORY.fsPath), paths.join(", "));
  });

  it("explain names each agent, and what it does with a file", async () => {
    const { runtimes, path } = await server("explain", { uri: MEMORY.toString() });
    assert.equal(path, MEMORY.fsPath);
    assert.ok(runtimes.some(({ outcome }) => outcome === "loaded"), JSON.stringify(runtimes));
  });

  it("remember adds a text as one undoable edit", async () => {
    const document = await vscode.workspace.openTextDocument(MEMORY);
    const first = document.getText();
    assert.equal(first, read(MEMORY));
    const plan = await server("remember", { text: "Buoys are red", scope: "project" });
    assert.equal(plan.outcome, "ready");
    await until("the item", () => document.getText().includes("- Buoys are red"));
    await open(MEMORY);
    await undo(document);
    assert.equal(document.getText(), first);
  });

  it("recall finds entries", async () => {
    const id = "01K9M4T2QHXS7V3B8N5R0D6F1G";
    const head = `id: ${id}\nscope: global\nkind: project\nsummary: Piers are numbered`;
    make(`saved/global/${id}.md`, `---\n${head}\ncreatedAt: 1762700000000\n---\n\nFrom the sea.\n`);
    await set("drover.entries", file("saved").fsPath);
    const { entries } = await until("the entry", async () => {
      const found = await server("recall", { query: "piers" });
      return found.entries.length > 0 && found;
    });
    assert.equal(entries[0].id, id);
  });

  it("entries are listed, forgotten, restored and promoted", async () => {
    const ids = ["01K9M4T2QHXS7V3B8N5R0D6F1G", "01K9M4T2QHXS7V3B8N5R0D6F1H"];
    for (const id of ids) {
      const head = `id: ${id}\nscope: global\nkind: project\nsummary: Pier ${id.at(-1)} is closed`;
      make(`saved/global/${id}.md`, `---\n${head}\ncreatedAt: 1762700000000\n---\n\nPier ${id.at(-1)} is closed.\n`);
    }
    await set("drover.entries", file("saved").fsPath);
    const count = async () => (await server("entries", {})).entries.length;
    await until("both entries", async () => (await count()) === 2);
    await server("forget", { id: ids[1] });
    assert.equal(await count(), 1);
    await server("restore", { id: ids[1] });
    assert.equal(await count(), 2);
    const document = await vscode.workspace.openTextDocument(MEMORY);
    const plan = await server("promote", { id: ids[0], to: "project" });
    assert.equal(plan.outcome, "ready", plan.message);
    await until("the item", () => document.getText().includes("Pier G is closed"));
    await until("the entry is in the trash", async () => (await count()) === 1);
  });

  it("showPrompt opens the prompt as a document that is kept current", async () => {
    await server("showPrompt", { uri: MEMORY.toString() });
    const shown = await until("the document", () => {
      const document = vscode.window.activeTextEditor?.document;
      return document?.uri.scheme === "agent-memory-prompt" && document;
    });
    assert.equal(shown.getText(), (await prompt()).text);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(MEMORY, new vscode.Position(5, 0), "- Buoys are red\n");
    await vscode.workspace.applyEdit(edit);
    await until("the change", () => shown.getText().includes("- Buoys are red"));
    note("provider", "textDocumentContent");
  });
});
