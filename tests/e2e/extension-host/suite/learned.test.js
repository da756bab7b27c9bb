// Entries saved by agents: the view "Learned" and the search.
const assert = require("node:assert/strict");
const fs = require("node:fs");
const vscode = require("vscode");
const { note } = require("./usage");
const { MEMORY, USER_MEMORY, file, information, make, read, run, set, tidyUp, until } = require("./support");
const { fail, useFailingServer } = require("./failing-server");
const { ui } = require("./ui");

const VIEW = "Learned";
const rows = () => ui.rows(VIEW);
const active = () => vscode.window.activeTextEditor?.document.uri.fsPath;

const IDS = ["01K9M4T2QHXS7V3B8N5R0D6F1G", "01K9M53A6YJ2C9E4P7W1H8Z0KM"];
const NAMES = IDS.map((id) => `saved/global/${id}.md`);

/** Two entries, the second one newer; the view no longer shows those of the test before. */
async function createEntries() {
  await until("an empty view", async () => (await rows()).length === 0);
  for (const [index, summary] of ["Piers are numbered", "Gauges drift in winter"].entries()) {
    const head = `id: ${IDS[index]}\nscope: global\nkind: project\nsummary: ${summary}\ntags: [harbour]`;
    make(NAMES[index], `---\n${head}\ncreatedAt: ${1762700000000 + index}\n---\n\nFrom the sea.\n`);
  }
  await set("drover.entries", file("saved").fsPath);
}

/**
 * Open the search and wait for an entry. It is opened again if it was closed by focus that moves
 * late, as any quick pick, or was opened before the server had the settings of this test.
 */
async function search(text) {
  await until("the search", async () => {
    await run("searchMemory");
    return ui.pick(text, false, 10_000);
  });
}

/** Click `label` with `click` until `condition` holds: a row that is just updated ignores a click. */
async function act(row, label, condition, click = ui.rowAction) {
  await until(label, async () => {
    await click(VIEW, row, label);
    return until(label, condition, 10_000);
  });
}

describe("learned entries", () => {
  beforeEach(() => vscode.commands.executeCommand("agentMemory.learned.focus"));
  afterEach(tidyUp);

  it("show the welcome content without entries", async () => {
    await until("the welcome", async () => /No learned entries yet/.test(await ui.text(VIEW)));
  });

  it("are rows, newest first, and open on Enter", async () => {
    await createEntries();
    const shown = await until("the entries", async () => {
      const found = await rows();
      return found.length === 2 && found;
    });
    assert.match(shown[0], /^Gauges drift in winter.*global · project · harbour/);
    assert.match(shown[1], /^Piers are numbered/);
    await ui.pressOn(VIEW, "Piers are numbered", "Enter");
    await until("the entry", () => active() === file(NAMES[0]).fsPath);
  });

  it("have names that make sense alone, and tooltips with their text", async () => {
    await createEntries();
    const label = await until("the entry", async () => (await rows()).length === 2 && ui.rowLabel(VIEW, "Piers are numbered"));
    assert.equal(label, "Piers are numbered, global, project, harbour");
    const hover = await ui.rowHover(VIEW, "Piers are numbered");
    assert.match(hover, /Piers are numbered[^]*global · project · harbour[^]*From the sea\./);
  });

  it("are filtered by kind, tag and age", async () => {
    await createEntries();
    make(NAMES[0].replace(IDS[0], "01K9M4T2QHXS7V3B8N5R0D6F1H"), fs.readFileSync(file(NAMES[0]).fsPath, "utf8")
      .replace(IDS[0], "01K9M4T2QHXS7V3B8N5R0D6F1H").replace("kind: project", "kind: user").replace("Piers are", "Boats are").replace("harbour", "boats"));
    await until("three entries", async () => (await rows()).length === 3);
    await ui.viewAction(VIEW, "Filter Learned Entries");
    await ui.pick("boats", true);
    await ui.press("Enter");
    await until("only the entry with the tag", async () => (await rows()).length === 1);
    assert.match(await ui.text(VIEW), /#boats[^]*Boats are numbered/);
    await ui.viewAction(VIEW, "Clear Filter of Learned Entries");
    await until("all entries", async () => (await rows()).length === 3);
  });

  it("are moved to the trash and restored", async () => {
    await createEntries();
    await until("the entries", async () => (await rows()).length === 2);
    await act("Piers are numbered", "Move to Trash", async () => (await rows()).length === 1);
    assert.equal(fs.existsSync(file(NAMES[0]).fsPath), false);
    await ui.viewMenu(VIEW, "Show Trash of Learned Entries");
    await until("the trash", async () => /Piers are numbered/.test((await rows()).join()) && (await rows()).length === 1);
    const isTrashEmpty = async () => /The trash is empty/.test(await ui.text(VIEW));
    await act("Piers are numbered", "Restore Entry", isTrashEmpty, ui.rowMenu);
    assert.ok(fs.existsSync(file(NAMES[0]).fsPath));
    await ui.viewAction(VIEW, "Hide Trash of Learned Entries");
    await until("both entries", async () => (await rows()).length === 2);
  });

  it("are promoted to project and user memory, which is saved", async () => {
    await createEntries();
    await until("the entries", async () => (await rows()).length === 2);
    const isPromoted = () => /Piers are numbered/.test(read(MEMORY));
    await act("Piers are numbered", "Promote to Project Memory", isPromoted);
    const isInUserMemory = () => /Gauges drift in winter/.test(read(USER_MEMORY));
    await act("Gauges drift in winter", "Promote to User Memory", isInUserMemory, ui.rowMenu);
    await until("no entries", async () => (await rows()).length === 0);
  });

  it("are edited", async () => {
    await createEntries();
    await until("the entries", async () => (await rows()).length === 2);
    await act("Piers are numbered", "Edit Entry", () => active() === file(NAMES[0]).fsPath, ui.rowMenu);
  });

  it("show a message if they cannot be read", async () => {
    await useFailingServer();
    await createEntries();
    await until("the entries", async () => (await rows()).length === 2);
    fail("agentMemory/recall");
    await run("restartServer");
    const text = await until("the reason", async () => {
      const shown = await ui.text(VIEW);
      return /Cannot show entries: the gauge is under water/.test(shown) && shown;
    });
    assert.doesNotMatch(text, /No learned entries yet/);
    fail();
    await run("restartServer");
    await until("the entries", async () => (await rows()).length === 2);
  });

  it("are found while typing and opened", async () => {
    await createEntries();
    await until("the entries", async () => (await rows()).length === 2);
    await search("Gauges drift");
    await ui.type("piers");
    await until("only the matching entry", async () => (await ui.pick("Piers are numbered")).length === 1);
    await ui.press("Enter");
    await until("the entry", () => active() === file(NAMES[0]).fsPath);
    note("provider", "createQuickPick");
  });

  it("show a message if nothing matches", async () => {
    await createEntries();
    await until("the entries", async () => (await rows()).length === 2);
    await search("Piers are numbered");
    await ui.type("zeppelin");
    const [first] = await ui.pick("zeppelin");
    assert.match(first, /^No entries/);
    await ui.press("Enter");
    assert.ok(await ui.pick("No entries"), "the search stays open");
    await ui.press("Escape");
  });

  it("show the reason and a link to the log if the search fails", async () => {
    await useFailingServer();
    await until("it runs", async () => (await information()).state === "running");
    fail("agentMemory/recall");
    await run("searchMemory");
    const shown = await ui.pick("Show Logs");
    assert.match(shown.join("\n"), /Search failed.*the gauge is under water/);
    await ui.pick("Show Logs", true);
    await until("the log", async () =>
      /search: /.test(await ui.output()),
    );
    await vscode.commands.executeCommand("workbench.action.closePanel");
  });

  it("show an error if the selected entry was deleted", async () => {
    await createEntries();
    await until("the entries", async () => (await rows()).length === 2);
    await search("Gauges drift");
    const deleted = file(NAMES[1]).fsPath;
    fs.renameSync(deleted, `${deleted}.away`);
    await ui.pick("Gauges drift", true);
    await ui.notification("Cannot open");
  });
});
