const assert = require("node:assert/strict");
const vscode = require("vscode");
const { MEMORY, codes, open, until } = require("./support");

const actions = async (uri, range, kind) =>
  vscode.commands.executeCommand("vscode.executeCodeActionProvider", uri, range, kind, 20);

describe("providers", () => {
  it("offer a quick fix for what is wrong, and it mends it", async () => {
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
    await vscode.commands.executeCommand("undo");
    await until("the finding again", () => codes(MEMORY).includes("AM107"));
  });

  it("fix all that is safe", async () => {
    const editor = await open(MEMORY);
    const all = new vscode.Range(0, 0, editor.document.lineCount, 0);
    const offered = await actions(MEMORY, all, "source.fixAll.agentMemory");
    assert.ok(offered.length > 0);
  });

  it("offer Remember on a selection of a memory file", async () => {
    const editor = await open(MEMORY);
    const last = editor.document.lineCount - 2;
    const titles = await until("code actions", async () => {
      const offered = await actions(MEMORY, editor.document.lineAt(last).range, "refactor.move");
      return offered.length > 0 && offered.map(({ title }) => title);
    });
    assert.ok(titles.some((title) => /user memory/i.test(title)), titles.join(", "));
  });

  it("answer hover, completion, symbols, links, lenses and folding of memory files", async () => {
    const editor = await open(MEMORY);
    await until("findings", () => codes(MEMORY).length > 0);
    const ask = (name, ...more) =>
      vscode.commands.executeCommand(`vscode.execute${name}Provider`, MEMORY, ...more);
    const hovers = await ask("Hover", new vscode.Position(0, 3));
    assert.ok(hovers.some(({ contents }) => contents.some(({ value }) => /token/i.test(value))));
    const lenses = await ask("CodeLens", 5);
    assert.ok(lenses.some(({ command }) => /token/i.test(command?.title ?? "")));
    const symbols = await ask("DocumentSymbol");
    assert.ok(symbols.length > 0);
    const end = editor.document.lineAt(editor.document.lineCount - 1).range.end;
    await editor.edit((edit) => edit.insert(end, "\n<!-- agent-memory: "));
    const at = editor.document.lineAt(editor.document.lineCount - 1).range.end;
    const completions = await until("completions", async () => {
      const { items } = await ask("CompletionItem", at);
      return items.some(({ label }) => /disable/.test(label.label ?? label)) && items;
    });
    assert.ok(completions.length > 0);
    await vscode.commands.executeCommand("undo");
  });
});
