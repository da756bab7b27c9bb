// Entries that agents filed: the view "Learned" and the search.
const assert = require("node:assert/strict");
const fs = require("node:fs");
const vscode = require("vscode");
const { note } = require("./record");
const { file, information, make, run, set, tidyUp, until } = require("./support");
const { fail, useFailingServer } = require("./failing");
const { person } = require("./person");

const VIEW = "Learned";
const rows = () => person.rows(VIEW);
const active = () => vscode.window.activeTextEditor?.document.uri.fsPath;

const IDS = ["01K9M4T2QHXS7V3B8N5R0D6F1G", "01K9M53A6YJ2C9E4P7W1H8Z0KM"];
const NAMES = IDS.map((id) => `kept/global/${id}.md`);

/** Two entries, the second one newer. */
async function fileEntries() {
  for (const [index, summary] of ["Piers are numbered", "Gauges drift in winter"].entries()) {
    const head = `id: ${IDS[index]}\nscope: global\nkind: project\nsummary: ${summary}\ntags: [harbour]`;
    make(NAMES[index], `---\n${head}\ncreatedAt: ${1762700000000 + index}\n---\n\nFrom the sea.\n`);
  }
  await set("drover.entries", file("kept").fsPath);
}

/** Open the search; what takes the focus at that moment closes it, so it is opened until it stays. */
async function search(text) {
  await run("searchMemory");
  await person.pick(text).catch(async () => {
    await run("searchMemory");
    await person.pick(text);
  });
}

describe("learned entries", () => {
  beforeEach(() => vscode.commands.executeCommand("agentMemory.learned.focus"));
  afterEach(tidyUp);

  it("are a welcome where there are none", async () => {
    await until("the welcome", async () => /no entries here yet/.test(await person.words(VIEW)));
  });

  it("are rows, newest first, and open by Enter", async () => {
    await fileEntries();
    const shown = await until("the entries", async () => {
      const found = await rows();
      return found.length === 2 && found;
    });
    assert.match(shown[0], /^Gauges drift in winter.*global · project · harbour/);
    assert.match(shown[1], /^Piers are numbered/);
    await person.pressOn(VIEW, "Piers are numbered", "Enter");
    await until("the entry", () => active() === file(NAMES[0]).fsPath);
  });

  it("that cannot be read are a message and not an empty view", async () => {
    await useFailingServer();
    await fileEntries();
    await until("the entries", async () => (await rows()).length === 2);
    fail("agentMemory/recall");
    await run("restartServer");
    const said = await until("the reason", async () => {
      const words = await person.words(VIEW);
      return /cannot be shown: the gauge is under water/.test(words) && words;
    });
    assert.doesNotMatch(said, /no entries here yet/);
    fail();
    await run("restartServer");
    await until("the entries", async () => (await rows()).length === 2);
  });

  it("are found as one types, and opened", async () => {
    await fileEntries();
    await until("the entries", async () => (await rows()).length === 2);
    await search("Gauges drift");
    await person.type("piers");
    await until("only what fits", async () => (await person.pick("Piers are numbered")).length === 1);
    await person.press("Enter");
    await until("the entry", () => active() === file(NAMES[0]).fsPath);
    note("provider", "createQuickPick");
  });

  it("that fit nothing are said to be none", async () => {
    await fileEntries();
    await until("the entries", async () => (await rows()).length === 2);
    await search("Piers are numbered");
    await person.type("zeppelin");
    const [said] = await person.pick("zeppelin");
    assert.match(said, /^No entry/);
    await person.press("Enter");
    assert.ok(await person.pick("No entry"), "the search stays open");
    await person.press("Escape");
  });

  it("that cannot be searched: the reason, and a way to the log", async () => {
    await useFailingServer();
    await until("it runs", async () => (await information()).state === "running");
    fail("agentMemory/recall");
    await run("searchMemory");
    const shown = await person.pick("Show Logs");
    assert.match(shown.join("\n"), /The search failed.*the gauge is under water/);
    await person.pick("Show Logs", true);
    await until("the log", async () =>
      /search: /.test(await person.log()),
    );
    await vscode.commands.executeCommand("workbench.action.closePanel");
  });

  it("that are gone when they are chosen: it is said", async () => {
    await fileEntries();
    await until("the entries", async () => (await rows()).length === 2);
    await search("Gauges drift");
    const gone = file(NAMES[1]).fsPath;
    fs.renameSync(gone, `${gone}.away`);
    await person.pick("Gauges drift", true);
    await person.notification("could not be opened");
  });
});
