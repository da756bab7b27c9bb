// Every setting is obeyed without a restart.
const assert = require("node:assert/strict");
const crypto = require("node:crypto");
const vscode = require("vscode");
const fs = require("node:fs");
const path = require("node:path");
const { EXTENSION, MEMORY, codes, file, open, restoreSettings, set, until, write } =
  require("./support");

const ask = async (place) =>
  (await vscode.commands.executeCommand("companion.describe", place)).prompt;

const WHOLE = new vscode.Range(0, 0, 100, 0);

/** How many answers a provider of the editor gives for the memory. */
async function count(name, ...more) {
  const found = await vscode.commands.executeCommand(`vscode.execute${name}Provider`, MEMORY, ...more);
  return found.length;
}

/** A file of the project that only these tests need. */
function make(name, text) {
  fs.mkdirSync(path.dirname(file(name).fsPath), { recursive: true });
  fs.writeFileSync(file(name).fsPath, text);
}

describe("settings", () => {
  afterEach(restoreSettings);

  const CASES = {
    runtime: {
      value: "deepagents-cli",
      shows: async () => (await ask()).runtime === "deepagents-cli",
    },
    agent: { value: "reviewer", shows: async () => (await ask()).agent === "reviewer" },
    "budget.tokens": { value: 123, shows: async () => (await ask()).budget === 123 },
    "budget.fileBytes": { value: 64, shows: () => codes(MEMORY).includes("AM301") },
    rules: { value: { AM403: "off" }, shows: () => !codes(MEMORY).includes("AM403") },
    memoryTemplate: {
      value: "only {project_memory} here",
      shows: async () => (await ask()).text.startsWith("only "),
    },
    projectRoot: {
      value: "src",
      shows: async () => !(await ask()).text.includes("Heights are metres"),
    },
    codeLens: { value: false, shows: async () => (await count("CodeLens")) === 0 },
    inlayHints: { value: true, shows: async () => (await count("InlayHint", WHOLE)) > 0 },
  };

  for (const [key, { value, shows }] of Object.entries(CASES)) {
    it(`obeys ${key} at once`, async () => {
      await open(MEMORY);
      assert.equal(await shows(), false, "before it is set");
      await set(key, value);
      await until(`${key} shows`, shows);
    });
  }

  it("obeys autoSave of deepagents-code at once", async () => {
    await set("runtime", "deepagents-code");
    const before = await until("the runtime", async () => {
      const prompt = await ask();
      return prompt.runtime === "deepagents-code" && prompt.text;
    });
    await set("autoSave", false);
    await until("the other template", async () => (await ask()).text !== before);
  });

  it("obeys sources of the deepagents SDK at once", async () => {
    await set("runtime", "deepagents");
    await set("sources", [MEMORY.fsPath]);
    await until("the named file", async () =>
      (await ask()).text.includes("Heights are metres above chart datum"),
    );
  });

  it("obeys skillFolders at once", async () => {
    make("more/skills/tides/SKILL.md", "---\nname: tides\ndescription: Reads tides\n---\n");
    await set("runtime", "deepagents");
    await set("skillFolders", [file("more/skills").fsPath]);
    await until("the skill", async () =>
      (await ask()).sources.some(({ name, order }) => name === "tides" && order !== null),
    );
  });

  it("obeys templateInterpreter at once", async () => {
    const packages = "env/lib/python3.11/site-packages";
    make("env/bin/python", "");
    make(`${packages}/deepagents_cli/__init__.py`, "");
    make(`${packages}/deepagents_cli-0.0.9.dist-info/METADATA`, "Name: deepagents-cli\nVersion: 0.0.9\n");
    await set("runtime", "deepagents-cli");
    await set("templateInterpreter", file("env/bin/python").fsPath);
    await until("what is installed there", async () => (await ask()).version === "0.0.9");
  });

  it("obeys those of drover at once", async () => {
    const id = "01K9M4T2QHXS7V3B8N5R0D6F1G";
    const entry = `---\nid: ${id}\nscope: global\nkind: project\nsummary: Piers are numbered\ncreatedAt: 1762700000000\n---\n\nFrom the sea.\n`;
    make(`kept/global/${id}.md`, entry);
    make("HARBOUR.md", "# The harbour closes at eight\n");
    const shows = async (text) => (await ask()).text.includes(text);
    await set("runtime", "drover");
    assert.equal(await shows("Piers are numbered"), false);
    await set("drover.entries", file("kept").fsPath);
    await until("the entry", () => shows("Piers are numbered"));
    await set("drover.maxIndexEntries", 0);
    await until("no index", async () => !(await shows("Piers are numbered")));
    await set("drover.filenames", ["HARBOUR.md"]);
    await until("the instruction file", () => shows("The harbour closes at eight"));
  });

  it("obeys trace.server at once", async () => {
    const { logs } = await vscode.commands.executeCommand("companion.describe");
    const traces = () =>
      fs.readdirSync(logs, { recursive: true })
        .filter((name) => /Agent Memory Trace[^/]*\.log$/.test(name))
        .map((name) => fs.readFileSync(path.join(logs, name), "utf8"))
        .join("");
    assert.equal(traces().includes("agentMemory/prompt"), false);
    await set("trace.server", "messages");
    await until("the message", async () => {
      await ask();
      return traces().includes("agentMemory/prompt");
    });
  });

  it("obeys secrets.allowed at once", async () => {
    const value = `gh${"p_"}${"zY7xW4vU1tS8rQ5pO2nM".repeat(2).slice(0, 36)}`;
    const notes = file(".deepagents/account.md");
    write(notes, `# Account\n\n- The key is ${value}\n`);
    await open(notes);
    await until("the finding", () => codes(notes).some((code) => code.startsWith("AM2")));
    await set("secrets.allowed", [crypto.createHash("sha256").update(value).digest("hex")]);
    await until("no finding", () => !codes(notes).some((code) => code.startsWith("AM2")));
  });

  it("are all documented, typed and scoped", () => {
    const { configuration } = EXTENSION.packageJSON.contributes;
    const groups = Array.isArray(configuration) ? configuration : [configuration];
    for (const { properties } of groups) {
      for (const [name, setting] of Object.entries(properties)) {
        assert.ok(setting.markdownDescription?.length > 10, name);
        assert.ok(setting.type, name);
        assert.ok(setting.scope, name);
        assert.ok("default" in setting, name);
      }
    }
  });
});
