const assert = require("node:assert/strict");
const fs = require("node:fs");
const vscode = require("vscode");
const { MEMORY, until, write } = require("./support");

const describePrompt = (options) => vscode.commands.executeCommand("companion.describe", options);

/** The text of the open project memory; undefined if it is not open. */
const openText = () =>
  vscode.workspace.textDocuments
    .find((item) => item.uri.toString() === MEMORY.toString())
    ?.getText();

describe("the extension API", () => {
  it("returns the prompt with its segments", async () => {
    const { version, prompt } = await describePrompt();
    assert.equal(version, 1);
    assert.equal(prompt.segments.map(({ text }) => text).join(""), prompt.text);
    assert.match(prompt.text, /Heights are metres above chart datum/);
  });

  it("returns the prompt of another runtime", async () => {
    const { prompt } = await describePrompt({ runtime: "deepagents-cli" });
    assert.equal(prompt.runtime, "deepagents-cli");
  });

  it("rejects an unknown runtime and names the available ones", async () => {
    await assert.rejects(describePrompt({ runtime: "nonesuch" }), /deepagents-cli/);
  });

  it("does not reveal secrets", async () => {
    const before = fs.readFileSync(MEMORY.fsPath, "utf8");
    const token = `gh${"p_"}${"aB3dE6gH9jK2mN5pQ8sT".repeat(2).slice(0, 36)}`;
    write(MEMORY, `${before}- The key is ${token}\n`);
    try {
      const { prompt } = await until("the changed prompt", async () => {
        const answer = await describePrompt({ reveal: true });
        return answer.prompt.text.includes("The key is") && answer;
      });
      assert.equal(prompt.text.includes(token), false);
      assert.equal(prompt.masked, true);
    } finally {
      write(MEMORY, before);
    }
  });

  it("reports a change on disk", async () => {
    const before = fs.readFileSync(MEMORY.fsPath, "utf8");
    const { seen } = await describePrompt();
    const known = seen.at(-1)?.hash;
    write(MEMORY, `${before}- One more line\n`);
    const change = await until("a change", async () => {
      const last = (await describePrompt()).seen.at(-1);
      return last?.hash !== known && last;
    });
    assert.ok(change.tokens > 0);
    await until("the editor shows the change", () => openText()?.includes("One more line") ?? true);
    write(MEMORY, before);
    await until("the original prompt", async () => {
      const { prompt } = await describePrompt();
      return !prompt.text.includes("One more line");
    });
    await until("the editor shows the original text", () => (openText() ?? before) === before);
  });
});
