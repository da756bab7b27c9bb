// The language features for memory files, each with its effect in the editor.
const assert = require("node:assert/strict");
const fs = require("node:fs");
const vscode = require("vscode");
const { note } = require("./usage");
const { MEMORY, USER_MEMORY, before, codes, file, make, open, prompt, read, set, tidyUp, undo, until } =
  require("./support");

const { ui } = require("./ui");

const SKILL = ".deepagents/skills/harbour/SKILL.md";
const executeCommand = (...args) => vscode.commands.executeCommand(...args);

/** Run the editor's providers for `uri`. */
const ask = (name, uri, ...more) => executeCommand(`vscode.execute${name}Provider`, uri, ...more);
/** Code actions; repeated because the editor returns nothing if the document changes meanwhile. */
const actions = (uri, range, kind) =>
  until(`actions of kind ${kind}`, async () => {
    const found = await ask("CodeAction", uri, range, kind, 20).then(undefined, () => []);
    return found.length > 0 && found;
  });
const texts = (hovers) => hovers.flatMap(({ contents }) => contents.map(({ value }) => value)).join("\n");
const fullRange = (document) => new vscode.Range(0, 0, document.lineCount, 0);

/** Create a skill that memory mentions. */
async function createSkill() {
  make(SKILL, "---\nname: harbour\ndescription: How the harbour is run\n---\n\n# Harbour\n");
  const editor = await open(MEMORY);
  await editor.edit((edit) => edit.insert(new vscode.Position(4, 0), "- Run `harbour` first\n"));
  await until("the skill", async () => (await prompt()).sources.some(({ name }) => name === "harbour"));
  return editor.document;
}

describe("providers", () => {
  afterEach(tidyUp);

  it("offer a quick fix that removes the finding", async () => {
    await open(MEMORY);
    await until("the finding", () => codes(MEMORY).includes("AM107"));
    const finding = vscode.languages
      .getDiagnostics(MEMORY)
      .find(({ code }) => code.value === "AM107");
    const offered = await actions(MEMORY, finding.range, vscode.CodeActionKind.QuickFix.value);
    const fix = offered.find(({ title }) => /[Rr]emove/.test(title));
    assert.ok(fix, offered.map(({ title }) => title).join(", "));
    await vscode.workspace.applyEdit(fix.edit);
    await until("no finding", () => !codes(MEMORY).includes("AM107"));
    await executeCommand("undo");
    await until("the finding again", () => codes(MEMORY).includes("AM107"));
  });

  it("apply all safe fixes as one undoable edit", async () => {
    const { document } = await open(MEMORY);
    const first = document.getText();
    const [all] = await actions(MEMORY, fullRange(document), "source.fixAll.agentMemory");
    await vscode.workspace.applyEdit(all.edit);
    assert.equal(document.getText(), first.replace("\u200b", ""));
    await undo(document);
    assert.equal(document.getText(), first);
  });

  it("apply all safe fixes on save", async () => {
    const config = vscode.workspace.getConfiguration("editor", MEMORY);
    const target = vscode.ConfigurationTarget.Workspace;
    await config.update("codeActionsOnSave", { "source.fixAll.agentMemory": "explicit" }, target);
    const { document } = await open(MEMORY);
    const first = document.getText();
    try {
      const edit = new vscode.WorkspaceEdit();
      edit.insert(MEMORY, document.positionAt(first.length), "- Saved\n");
      await vscode.workspace.applyEdit(edit);
      await executeCommand("workbench.action.files.save");
      await until("the fixed file", () => read(MEMORY) === `${first.replace("\u200b", "")}- Saved\n`);
    } finally {
      await config.update("codeActionsOnSave", undefined, target);
    }
  });

  it("move an item to user memory with a resolved edit", async () => {
    const { document } = await open(MEMORY);
    const first = document.getText();
    const line = document.lineAt(before(document, "Times are UTC").line).range;
    const offered = await until("the actions", async () => {
      const found = await actions(MEMORY, line, "refactor.move");
      return found.length > 0 && found;
    });
    const move = offered.find(({ title }) => title === "Move to User Memory");
    assert.ok(move.edit, "it was resolved");
    await vscode.workspace.applyEdit(move.edit);
    const user = await vscode.workspace.openTextDocument(USER_MEMORY);
    assert.match(user.getText(), /^- Times are UTC inside/m);
    assert.equal(document.getText().includes("Times are UTC"), false);
    await open(MEMORY);
    await undo(document);
    assert.equal(document.getText(), first);
  });

  it("remember a selection with a command", async () => {
    const { document } = await open(MEMORY);
    const line = document.lineAt(before(document, "Heights are metres").line).range;
    const offered = await until("the actions", async () => {
      const found = await actions(MEMORY, line, "refactor.move");
      return found.some(({ command }) => command) && found;
    });
    const { command } = offered.find(({ title, command }) => command && /user memory/i.test(title));
    const done = executeCommand(command.command, ...command.arguments);
    await ui.notification("", "anyway");
    await done;
    const user = await vscode.workspace.openTextDocument(USER_MEMORY);
    await until("the item", () => user.getText().includes("- Heights are metres above chart datum"));
    await open(USER_MEMORY);
    await undo(user);
    assert.equal(user.getText(), read(USER_MEMORY));
  });

  it("show the tokens of a file and a section on hover", async () => {
    const { document } = await open(MEMORY);
    const text = await until("the hover", async () => {
      const found = texts(await ask("Hover", MEMORY, before(document, "Conventions")));
      return /token/.test(found) && found;
    });
    assert.match(text, /This section: /);
    assert.match(text, /loaded 2nd of 2/);
  });

  it("complete suppressions", async () => {
    const editor = await open(MEMORY);
    const end = editor.document.lineAt(editor.document.lineCount - 1).range.end;
    await editor.edit((edit) => edit.insert(end, "\n<!-- agent-memory: dis"));
    const at = editor.document.lineAt(editor.document.lineCount - 1).range.end;
    const item = await until("completions", async () => {
      const { items } = await ask("CompletionItem", MEMORY, at);
      return items.find(({ label }) => (label.label ?? label) === "disable-next-line");
    });
    await editor.edit((edit) => edit.replace(item.range.replacing ?? item.range, item.insertText ?? item.label));
    assert.match(editor.document.getText(), /\n<!-- agent-memory: disable-next-line$/);
  });

  it("show a code lens that opens the preview", async () => {
    await open(MEMORY);
    const { command } = await until("the lens", async () =>
      (await ask("CodeLens", MEMORY, 5)).find(({ command }) => /token/.test(command?.title ?? "")),
    );
    await executeCommand(command.command, ...command.arguments);
    await until("the preview", () =>
      vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ input }) => /agentMemory/.test(input?.viewType))),
    );
  });

  it("show inlay hints with the tokens of sections", async () => {
    const { document } = await open(MEMORY);
    await set("inlayHints", true);
    const hints = await until("the hints", async () => {
      const found = await ask("InlayHint", MEMORY, fullRange(document));
      return found.length > 0 && found;
    });
    assert.deepEqual(hints.map(({ position }) => position.line), [0, 2, 8]);
    assert.match(String(hints[0].label), /^\d+ tokens$/);
  });

  it("go from a skill's name to its file", async () => {
    const document = await createSkill();
    const [found] = await until("the definition", async () => {
      const all = await ask("Definition", MEMORY, before(document, "harbour`"));
      return all.length > 0 && all;
    });
    assert.equal((found.uri ?? found.targetUri).fsPath, file(SKILL).fsPath);
  });

  it("find references to a skill", async () => {
    await createSkill();
    const { document } = await open(file(SKILL));
    const found = await until("the references", async () => {
      const all = await ask("Reference", file(SKILL), before(document, "harbour\n"));
      return all.length > 0 && all;
    });
    assert.ok(found.some(({ uri }) => uri.fsPath === MEMORY.fsPath));
  });

  it("rename a skill: folder, name and references", async () => {
    const document = await createSkill();
    await document.save();
    const at = before(document, "harbour`");
    // The prompt is composed from the disk; the other features follow the events of the disk.
    const { placeholder } = await until("the skill is known", () =>
      executeCommand("vscode.prepareRename", MEMORY, at).catch(() => undefined),
    );
    assert.equal(placeholder, "harbour");
    const edit = await ask("DocumentRename", MEMORY, at, "port");
    assert.equal(edit.entries().length, 2, "memory and the skill's own file");
    // Applied by the editor: the command above returns the edits in another order.
    const editor = await open(MEMORY);
    editor.selection = new vscode.Selection(at, at);
    const done = executeCommand("editor.action.rename");
    await ui.typeInto(".rename-box input", "port");
    await done;
    const moved = file(".deepagents/skills/port/SKILL.md");
    await until("the folder", () => fs.existsSync(moved.fsPath) && !fs.existsSync(file(SKILL).fsPath));
    const skill = await vscode.workspace.openTextDocument(moved);
    await until("its name", () => /^name: port$/m.test(skill.getText()));
    await until("the reference", () => document.getText().includes("Run `port` first"));
  });

  it("update links when the editor moves a file", async () => {
    make(".deepagents/piers.md", "# Piers\n");
    const editor = await open(MEMORY);
    await editor.edit((edit) => edit.insert(new vscode.Position(4, 0), "- See [piers](piers.md)\n"));
    await until("the link is known", async () => (await prompt()).text.includes("piers.md"));
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(file(".deepagents/piers.md"), file(".deepagents/quays.md"));
    assert.equal(await vscode.workspace.applyEdit(edit), true);
    await until("the updated link", () => editor.document.getText().includes("[piers](quays.md)"));
    note("provider", "fileOperations.willRename");
  });

  it("find headings and skills in all files by name", async () => {
    make(SKILL, "---\nname: harbour\ndescription: How the harbour is run\n---\n\n# Harbour\n");
    const found = await until("the symbols", async () => {
      const all = await executeCommand("vscode.executeWorkspaceSymbolProvider", "harbour");
      return all.find(({ name, location }) => name === "harbour" && location.uri.fsPath === file(SKILL).fsPath);
    });
    assert.equal(found.kind, vscode.SymbolKind.Function);
    const lessons = await executeCommand("vscode.executeWorkspaceSymbolProvider", "Lessons");
    assert.ok(lessons.some(({ location }) => location.uri.fsPath === MEMORY.fsPath));
  });

  it("leave symbols, links and folding to the editor", async () => {
    make(".deepagents/piers.md", "# Piers\n");
    const editor = await open(MEMORY);
    await editor.edit((edit) => edit.insert(new vscode.Position(4, 0), "- See [piers](piers.md)\n"));
    const symbols = await until("the symbols", async () => {
      const all = await ask("DocumentSymbol", MEMORY);
      return all?.length > 0 && all;
    });
    assert.equal(symbols.length, 1);
    assert.equal(symbols[0].children.length, 2);
    const links = await ask("Link", MEMORY);
    assert.deepEqual(links.map(({ range }) => range.start.line), [4]);
    const folds = await ask("FoldingRange", MEMORY);
    assert.equal(new Set(folds.map(({ start }) => start)).size, folds.length);
  });
});
