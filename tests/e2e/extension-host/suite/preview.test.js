// The panel: its commands, from the context menu and from its buttons.
const assert = require("node:assert/strict");
const vscode = require("vscode");
const { note } = require("./usage");
const { MEMORY, file, make, open, prompt, read, run, set, tidyUp, until, write } = require("./support");
const { answer } = require("./dialogs");
const { ui } = require("./ui");

const LINE = "Times are UTC inside";
const row = `.line:has-text("${LINE}")`;

/** The cursor line (from 0) of the visible memory editor; undefined without such an editor. */
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

  it("copies the prompt without a notification, and says so in the page", async () => {
    await vscode.env.clipboard.writeText("");
    await ui.panelAction("Copy Prompt");
    await until("the page says it", async () => /Copied/.test(await ui.panel("#copied")));
    assert.equal(await vscode.env.clipboard.readText(), (await prompt()).text);
    assert.deepEqual(await ui.toasts(), []);
  });

  it("its menu copies a line and offers neither Cut nor Paste", async () => {
    const labels = await ui.panelClick(row, "Copy");
    assert.deepEqual(labels, ["Why Is This Here?", "Go to Source", "Copy"]);
    await until("the line", async () => (await vscode.env.clipboard.readText()).includes(LINE));
  });

  it("says on top that the file from which it was opened is not in the prompt", async () => {
    make("CLAUDE.md", "# Claude\n\n- Short answers\n");
    await open(file("CLAUDE.md"));
    await run("previewPrompt");
    const text = await until("the notice", async () => {
      const shown = await ui.panel("#not-read");
      return /CLAUDE\.md is not part of this prompt/.test(shown) && shown;
    });
    assert.match(text, /deepagentsdk|agent\.md/);
    await ui.panelPick("runtime", "claude-code");
    await until("the notice is gone", async () => (await ui.panel("#not-read")) === "");
    await until("the role of the message", async () => (await ui.panel(".message:visible")) === "User message");
    assert.match(await ui.panel("#segments"), /Short answers/);
  });

  it("explains an approximate template, and opens the setting that makes it exact", async () => {
    await run("previewPrompt");
    assert.match(await ui.panel("#approximate"), /Template text is approximate/);
    await ui.panelClick("#approximate button");
    assert.match(await ui.visibleText(".settings-editor .setting-item-contents"), /Memory Template/);
  });

  it("marks the line of the editor's cursor", async () => {
    const { document } = vscode.window.visibleTextEditors.find((item) => item.document.uri.fsPath === MEMORY.fsPath);
    const editor = await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
    editor.selection = new vscode.Selection(4, 0, 4, 0);
    await until("the mark", async () => (await ui.panel('.line[aria-current="location"]')).includes(LINE));
  });

  it("copies the prompt masked, and unmasked only after confirmation", async () => {
    const secret = `gh${"p_"}${"kL8mN1bV4cX7zQ0wE3rT".repeat(2).slice(0, 36)}`;
    write(MEMORY, `${read(MEMORY)}- The key is ${secret}\n`);
    await until("the secret arrives, masked", async () => (await prompt()).masked);
    await until("the panel shows it", async () => /The key is/.test(await ui.panel("#segments")));
    assert.equal((await ui.panel("#segments")).includes(secret), false);
    await ui.panelAction("Copy Prompt");
    await ui.notification("secrets masked", "Copy Unmasked…");
    const masked = await vscode.env.clipboard.readText();
    assert.equal(masked, (await prompt()).text);
    assert.equal(masked.includes(secret), false);
    await answer("Copy the prompt with its secrets?", "Copy with Secrets");
    await until("all of it", async () => (await vscode.env.clipboard.readText()).includes(secret));

    await ui.panelAction("Reveal Secrets");
    await answer("Show the prompt with its secrets?", "Cancel");
    assert.equal((await ui.panel("#segments")).includes(secret), false);
    await ui.panelAction("Reveal Secrets");
    await answer("Show the prompt with its secrets?", "Show Secrets");
    await until("it is shown", async () => (await ui.panel("#segments")).includes(secret));
    // The confirmation applies to this prompt only.
    await run("previewPrompt", { uri: file("src/tides.py").toString() });
    await until("it is masked", async () => !(await ui.panel("#segments")).includes(secret));
    await ui.panelAction("Reveal Secrets");
    await answer("Show the prompt with its secrets?", "Show Secrets");
    await until("it is shown again", async () => (await ui.panel("#segments")).includes(secret));
    await ui.panelAction("Mask Secrets");
    await until("it is masked again", async () => !(await ui.panel("#segments")).includes(secret));
    await vscode.env.clipboard.writeText("");
  });

  it("previewPromptOfFolder shows the prompt of an agent that starts in a folder", async () => {
    await set("runtime", "codex");
    make("src/AGENTS.md", "# Tides\n\n- Tables are sorted by time\n");
    await run("previewPromptOfFolder", file("src"));
    await until("the file of the folder", async () => (await ui.panel("#segments")).includes("Tables are sorted by time"));
    const labels = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
    assert.ok(labels.includes("Prompt: src"), labels.join(", "));
    await run("previewPrompt", { uri: MEMORY.toString() });
    await until("the project's prompt", async () => !(await ui.panel("#segments")).includes("Tables are sorted by time"));
  });

  it("opens the prompt as text", async () => {
    await run("openPromptText");
    const { document } = await until("the document", () =>
      vscode.window.visibleTextEditors.find((editor) => editor.document.uri.path === "/prompt.md"),
    );
    assert.equal(document.getText(), (await prompt()).text);
  });

  it("shows the prompt beside another runtime's", async () => {
    await ui.panelAction("Compare Prompt");
    await ui.pick("deepagents-cli", true);
    const { input, label } = await until("the comparison", () => {
      const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
      return tab?.input instanceof vscode.TabInputTextDiff && tab;
    });
    assert.match(label, /deepagents-cli/);
    // The editor reports an error if a comparison is closed while its sides are loaded.
    await until("both sides", () => [input.original, input.modified].every(isVisible));
    const other = await vscode.workspace.openTextDocument(input.original);
    assert.equal(other.getText(), (await prompt({ runtime: "deepagents-cli" })).text);
  });
});

function isVisible(uri) {
  return vscode.window.visibleTextEditors.some(({ document }) => document.uri.toString() === uri.toString());
}

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
