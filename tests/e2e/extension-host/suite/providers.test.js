const assert = require("node:assert/strict");
const vscode = require("vscode");
const { MEMORY, codes, file, open, until } = require("./support");

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

  it("offer Remember on a selection of any file", async () => {
    const source = file("src/tides.py");
    await open(source);
    const offered = await actions(source, new vscode.Range(2, 0, 2, 30), "refactor.move");
    const titles = offered.map(({ title }) => title);
    assert.ok(titles.some((title) => /project memory/i.test(title)), titles.join(", "));
    assert.ok(titles.some((title) => /user memory/i.test(title)), titles.join(", "));
  });
});
