// Every setting takes effect without a restart.
const assert = require("node:assert/strict");
const crypto = require("node:crypto");
const vscode = require("vscode");
const { MEMORY, codes, file, make, open, prompt: ask, set, tidyUp, traces, until, write } =
  require("./support");
const { ui } = require("./ui");

const FULL_RANGE = new vscode.Range(0, 0, 100, 0);

/** The number of results of a provider for the memory file. */
async function count(name, ...more) {
  const found = await vscode.commands.executeCommand(`vscode.execute${name}Provider`, MEMORY, ...more);
  return found.length;
}

describe("settings", () => {
  afterEach(tidyUp);

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
    inlayHints: { value: true, shows: async () => (await count("InlayHint", FULL_RANGE)) > 0 },
  };

  it("runtimes takes effect", async () => {
    const agents = async () => {
      const command = "agentMemory.server.explain";
      const found = await vscode.commands.executeCommand(command, { uri: MEMORY.toString() });
      return found.runtimes.map(({ runtime }) => runtime);
    };
    await open(MEMORY);
    assert.equal((await agents()).includes("codex"), false);
    await set("runtimes", ["deepagentsdk", "codex"]);
    await until("both agents", async () => (await agents()).join() === "deepagentsdk,codex");
  });

  for (const [key, { value, shows }] of Object.entries(CASES)) {
    it(`${key} takes effect`, async () => {
      await open(MEMORY);
      assert.equal(await shows(), false, "before it is set");
      await set(key, value);
      await until(`${key} shows`, shows);
    });
  }

  it("autoSave of deepagents-code takes effect", async () => {
    await set("runtime", "deepagents-code");
    const before = await until("the runtime", async () => {
      const prompt = await ask();
      return prompt.runtime === "deepagents-code" && prompt.text;
    });
    await set("autoSave", false);
    await until("the other template", async () => (await ask()).text !== before);
  });

  it("sources of the deepagents SDK takes effect", async () => {
    await set("runtime", "deepagents");
    await set("sources", [MEMORY.fsPath]);
    await until("the named file", async () =>
      (await ask()).text.includes("Heights are metres above chart datum"),
    );
  });

  it("skillFolders takes effect", async () => {
    make("more/skills/tides/SKILL.md", "---\nname: tides\ndescription: Reads tides\n---\n");
    await set("runtime", "deepagents");
    await set("skillFolders", [file("more/skills").fsPath]);
    await until("the skill", async () =>
      (await ask()).sources.some(({ name, order }) => name === "tides" && order !== null),
    );
  });

  it("budget.chainBytes takes effect", async () => {
    const [top, below] = [file("AGENTS.md"), file("src/AGENTS.md")];
    make("AGENTS.md", "# Tides\n\n- Heights are metres above chart datum, everywhere\n");
    make("src/AGENTS.md", "# Code\n\n- One function a constant, and a test for each of them\n");
    await set("runtime", "drover");
    await open(top);
    await open(below);
    const found = () => [top, below].flatMap(codes).includes("AM304");
    assert.equal(found(), false);
    await set("budget.chainBytes", 64);
    await until("the finding", found);
  });

  it("templateInterpreter takes effect", async () => {
    const packages = "env/lib/python3.11/site-packages";
    make("env/bin/python", "");
    make(`${packages}/deepagents_cli/__init__.py`, "");
    make(`${packages}/deepagents_cli-0.0.9.dist-info/METADATA`, "Name: deepagents-cli\nVersion: 0.0.9\n");
    await set("runtime", "deepagents-cli");
    await set("templateInterpreter", file("env/bin/python").fsPath);
    await until("the installed version", async () => (await ask()).version === "0.0.9");
  });

  it("drover's settings take effect", async () => {
    const id = "01K9M4T2QHXS7V3B8N5R0D6F1G";
    const entry = `---\nid: ${id}\nscope: global\nkind: project\nsummary: Piers are numbered\ncreatedAt: 1762700000000\n---\n\nFrom the sea.\n`;
    make(`saved/global/${id}.md`, entry);
    make("HARBOUR.md", "# The harbour closes at eight\n");
    make("AGENTS.md", "# Tides\n\n- Heights are rounded to centimetres\n");
    const shows = async (text) => (await ask()).text.includes(text);
    await set("runtime", "drover");
    assert.equal(await shows("Piers are numbered"), false);
    await set("drover.entries", file("saved").fsPath);
    await until("the entry", () => shows("Piers are numbered"));
    await until("the mirror of the root's file", () => shows("[reference] Project instructions"));
    await set("drover.seedMemory", false);
    await until("no mirror", async () => !(await shows("[reference] Project instructions")));
    await set("drover.maxIndexEntries", 0);
    await until("no index", async () => !(await shows("Piers are numbered")));
    await set("drover.filenames", ["HARBOUR.md"]);
    await until("the instruction file", () => shows("The harbour closes at eight"));
  });

  const PACKAGES = {
    "claude-code": "@anthropic-ai/claude-code",
    codex: "@openai/codex",
    "gemini-cli": "@google/gemini-cli",
    opencode: "opencode-ai",
    "copilot-cli": "@github/copilot",
    "qwen-code": "@qwen-code/qwen-code",
    cline: "cline",
    "deepagents-js": "deepagents",
  };
  for (const [id, name] of Object.entries(PACKAGES)) {
    it(`agents.${id}.path takes effect`, async () => {
      make(`opt/${id}/package.json`, JSON.stringify({ name, version: "9.8.7" }));
      await set("runtime", id);
      await set(`agents.${id}.path`, file(`opt/${id}`).fsPath);
      await until("the version of the program", async () => (await ask()).version === "9.8.7");
    });
  }

  it("agents.mistral-vibe.path takes effect", async () => {
    make("opt/vibe/lib/python3.12/site-packages/mistral_vibe-9.8.7.dist-info/METADATA", "");
    await set("runtime", "mistral-vibe");
    await set("agents.mistral-vibe.path", file("opt/vibe").fsPath);
    await until("the version of the program", async () => (await ask()).version === "9.8.7");
  });

  it("trace.server takes effect", async () => {
    const before = traces().length;
    await ask();
    assert.equal(traces().length, before);
    await set("trace.server", "messages");
    await until("the message", async () => {
      await ask();
      return traces().includes("agentMemory/prompt");
    });
    assert.equal(traces().includes("Heights are metres"), false);
    await set("trace.server", "verbose");
    await until("its content", async () => {
      await ask();
      return traces().includes("Heights are metres");
    });
  });

  it("status.warnOnSave takes effect", async () => {
    const warnings = async (text) => {
      const editor = await open(MEMORY);
      await editor.edit((edit) => edit.insert(new vscode.Position(2, 0), text));
      await editor.document.save();
      return (await ui.toasts()).filter((item) => item.includes("over its budget"));
    };
    await set("status.warnOnSave", false);
    await set("budget.tokens", 10);
    await until("the budget", async () => (await ask()).budget === 10);
    assert.deepEqual(await warnings("- One pier\n"), []);
    await set("status.warnOnSave", true);
    await until("a warning", async () => (await warnings("- Another pier\n")).length > 0);
  });

  it("secrets.allowed takes effect", async () => {
    const value = `gh${"p_"}${"zY7xW4vU1tS8rQ5pO2nM".repeat(2).slice(0, 36)}`;
    const notes = file(".deepagents/account.md");
    write(notes, `# Account\n\n- The key is ${value}\n`);
    await open(notes);
    await until("the finding", () => codes(notes).some((code) => code.startsWith("AM2")));
    await set("secrets.allowed", [crypto.createHash("sha256").update(value).digest("hex")]);
    await until("no finding", () => !codes(notes).some((code) => code.startsWith("AM2")));
  });

});
