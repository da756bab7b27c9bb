// Every setting is obeyed without a restart.
const assert = require("node:assert/strict");
const crypto = require("node:crypto");
const vscode = require("vscode");
const { EXTENSION, MEMORY, codes, file, open, restoreSettings, set, until, write } =
  require("./support");

const ask = async (place) =>
  (await vscode.commands.executeCommand("companion.describe", place)).prompt;

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
