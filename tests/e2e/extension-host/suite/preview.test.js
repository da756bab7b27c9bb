// The panel from inside: its commands, by the menu of a line and by its buttons.
const assert = require("node:assert/strict");
const vscode = require("vscode");
const { note } = require("./record");
const { MEMORY, file, open, prompt, read, run, tidyUp, until, write } = require("./support");
const { answer } = require("./dialogs");
const { person } = require("./person");

const LINE = "Times are UTC inside";
const row = `.line:has-text("${LINE}")`;

/** Where the cursor of the visible editor of the memory is, counted from 0; undefined where there is none. */
const cursor = () =>
  vscode.window.visibleTextEditors.find(({ document }) => document.uri.fsPath === MEMORY.fsPath)
    ?.selection.active.line;

describe("the preview", () => {
  beforeEach(async () => {
    await open(MEMORY);
    await run("previewPrompt");
    await until("the line", async () => (await person.panel(row)).includes(LINE));
  });
  afterEach(tidyUp);

  it("shows the prompt with its total", async () => {
    await until("the total", async () => {
      const { tokens } = await prompt();
      return (await person.panel("#total")).includes(String(tokens));
    });
    note("provider", "createWebviewPanel");
  });

  it("explainLine says why a line is there", async () => {
    await person.panelClick(row, "Why Is This Here?");
    const said = await person.panel("#why");
    assert.match(said, /This is line 5 of \.deepagents\/agent\.md/);
  });

  it("goToSource goes to the line in its file", async () => {
    await person.panelClick(row, "Go to Source");
    await until("the cursor is there", () => cursor() === 4);
  });

  it("explainLine and goToSource take the line that has the focus when a key calls them", async () => {
    await person.panelPress(row, "ArrowDown");
    await run("explainLine");
    await until("the reason", async () => /line 6 of/.test(await person.panel("#why")));
    await run("goToSource");
    await until("the cursor is there", () => cursor() === 5);
  });

  it("copies the prompt with its secrets masked, and whole only after a yes", async () => {
    const secret = `gh${"p_"}${"kL8mN1bV4cX7zQ0wE3rT".repeat(2).slice(0, 36)}`;
    write(MEMORY, `${read(MEMORY)}- The key is ${secret}\n`);
    await until("the secret arrives, masked", async () => (await prompt()).masked);
    await until("the panel shows it", async () => /The key is/.test(await person.panel("#segments")));
    assert.equal((await person.panel("#segments")).includes(secret), false);
    await person.panelClick('[data-action="copy"]');
    await person.notification("its secrets masked", "Copy Whole…");
    const masked = await vscode.env.clipboard.readText();
    assert.equal(masked, (await prompt()).text);
    assert.equal(masked.includes(secret), false);
    await answer("Copy the prompt with its secrets?", "Copy with Secrets");
    await until("all of it", async () => (await vscode.env.clipboard.readText()).includes(secret));

    await person.panelClick('[data-action="reveal"]');
    await answer("Show the prompt with its secrets?", "Cancel");
    assert.equal((await person.panel("#segments")).includes(secret), false);
    await person.panelClick('[data-action="reveal"]');
    await answer("Show the prompt with its secrets?", "Show Secrets");
    await until("it is shown", async () => (await person.panel("#segments")).includes(secret));
    // Only this prompt was agreed to.
    await run("previewPrompt", { uri: file("src/tides.py").toString() });
    await until("it is masked", async () => !(await person.panel("#segments")).includes(secret));
    await vscode.env.clipboard.writeText("");
  });

  it("opens the prompt as text", async () => {
    await person.panelClick('[data-action="openText"]');
    const { document } = await until("the document", () =>
      vscode.window.visibleTextEditors.find((editor) => editor.document.uri.path === "/prompt.md"),
    );
    assert.equal(document.getText(), (await prompt()).text);
  });

  it("shows the prompt beside another runtime's", async () => {
    await person.panelClick('[data-action="compare"]');
    await person.pick("deepagents-cli", true);
    const { input, label } = await until("the comparison", () => {
      const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
      return tab?.input instanceof vscode.TabInputTextDiff && tab;
    });
    assert.match(label, /deepagents-cli/);
    const other = await vscode.workspace.openTextDocument(input.original);
    assert.equal(other.getText(), (await prompt({ runtime: "deepagents-cli" })).text);
  });
});

describe("the status", () => {
  before(() => open(MEMORY));
  after(tidyUp);

  it("is in the bar and leads to the preview", async () => {
    const { tokens } = await prompt();
    await until("the tokens", async () =>
      (await person.sees('.statusbar-item[id="agent-memory.agent-memory.agentMemory.tokens"]')).includes(String(tokens)),
    );
    note("provider", "createStatusBarItem");
  });

  it("is in the status of the language, with runtime and agent", async () => {
    const { runtime, agent } = await prompt();
    const said = await person.languageStatus();
    assert.ok(said.includes(runtime) && said.includes(agent), said);
    note("provider", "createLanguageStatusItem");
  });
});
