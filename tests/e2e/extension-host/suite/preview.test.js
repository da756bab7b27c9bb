// The panel: its commands, from the context menu and from its buttons.
const assert = require("node:assert/strict");
const vscode = require("vscode");
const { note } = require("./usage");
const { MEMORY, file, open, prompt, read, run, tidyUp, until, write } = require("./support");
const { answer } = require("./dialogs");
const { ui } = require("./ui");

const LINE = "Times are UTC inside";
const row = `.line:has-text("${LINE}")`;

/** The cursor line (from 0) of the visible memory editor; undefined if there is none. */
const cursor = () =>
  vscode.window.visibleTextEditors.find(({ document }) => document.uri.fsPath === MEMORY.fsPath)
    ?.selection.active.line;

describe("the preview", () => {
  beforeEach(async () => {
    await open(MEMORY);
    await run("previewPrompt");
    await until("the line", async () => (await ui.panel(row)).includes(LINE));
  });
  afterEach(tidyUp);

  it("shows the prompt with its total", async () => {
    await until("the total", async () => {
      const { tokens } = await prompt();
      return (await ui.panel("#total")).includes(String(tokens));
    });
    note("provider", "createWebviewPanel");
  });

  it("explainLine explains a line", async () => {
    await ui.panelClick(row, "Why Is This Here?");
    const text = await ui.panel("#why");
    assert.match(text, /Line 5 of \.deepagents\/agent\.md/);
  });

  it("goToSource goes to the line in its file", async () => {
    await ui.panelClick(row, "Go to Source");
    await until("the cursor on the line", () => cursor() === 4);
  });

  it("explainLine and goToSource use the focused line by default", async () => {
    await ui.panelPress(row, "ArrowDown");
    await run("explainLine");
    await until("the reason", async () => /Line 6 of/.test(await ui.panel("#why")));
    await run("goToSource");
    await until("the cursor on the line", () => cursor() === 5);
  });

  it("copies the prompt masked, and unmasked only after confirmation", async () => {
    const secret = `gh${"p_"}${"kL8mN1bV4cX7zQ0wE3rT".repeat(2).slice(0, 36)}`;
    write(MEMORY, `${read(MEMORY)}- The key is ${secret}\n`);
    await until("the secret arrives, masked", async () => (await prompt()).masked);
    await until("the panel shows it", async () => /The key is/.test(await ui.panel("#segments")));
    assert.equal((await ui.panel("#segments")).includes(secret), false);
    await ui.panelClick('[data-action="copy"]');
    await ui.notification("secrets masked", "Copy Unmasked…");
    const masked = await vscode.env.clipboard.readText();
    assert.equal(masked, (await prompt()).text);
    assert.equal(masked.includes(secret), false);
    await answer("Copy the prompt with its secrets?", "Copy with Secrets");
    await until("all of it", async () => (await vscode.env.clipboard.readText()).includes(secret));

    await ui.panelClick('[data-action="reveal"]');
    await answer("Show the prompt with its secrets?", "Cancel");
    assert.equal((await ui.panel("#segments")).includes(secret), false);
    await ui.panelClick('[data-action="reveal"]');
    await answer("Show the prompt with its secrets?", "Show Secrets");
    await until("it is shown", async () => (await ui.panel("#segments")).includes(secret));
    // The confirmation applies to this prompt only.
    await run("previewPrompt", { uri: file("src/tides.py").toString() });
    await until("it is masked", async () => !(await ui.panel("#segments")).includes(secret));
    await vscode.env.clipboard.writeText("");
  });

  it("opens the prompt as text", async () => {
    await ui.panelClick('[data-action="openText"]');
    const { document } = await until("the document", () =>
      vscode.window.visibleTextEditors.find((editor) => editor.document.uri.path === "/prompt.md"),
    );
    assert.equal(document.getText(), (await prompt()).text);
  });

  it("shows the prompt beside another runtime's", async () => {
    await ui.panelClick('[data-action="compare"]');
    await ui.pick("deepagents-cli", true);
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

  it("is in the status bar", async () => {
    const { tokens } = await prompt();
    await until("the tokens", async () =>
      (await ui.visibleText('.statusbar-item[id="agent-memory.agent-memory.agentMemory.tokens"]')).includes(String(tokens)),
    );
    note("provider", "createStatusBarItem");
  });

  it("is in the language status, with the runtime", async () => {
    const { runtime } = await prompt();
    const text = await ui.languageStatus();
    assert.ok(text.includes(runtime), text);
    assert.match(text, /Agent Memory: \d+ tokens/);
    note("provider", "createLanguageStatusItem");
  });
});
