// What the tests share: the extension, its project, and waiting.
const assert = require("node:assert/strict");
const fs = require("node:fs");
const vscode = require("vscode");

const EXTENSION = vscode.extensions.getExtension("agent-memory.agent-memory");
const SECTION = "agentMemory";

/** The address of a file of the project. */
function file(name) {
  return vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, name);
}

const MEMORY = file(".deepagents/agent.md");

/** Open a file in an editor. */
async function open(uri) {
  return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
}

/** Wait until `condition` returns something true. */
async function until(what, condition, milliseconds = 15_000) {
  const end = Date.now() + milliseconds;
  for (;;) {
    const value = await condition();
    if (value) {
      return value;
    }
    assert.ok(Date.now() < end, `not within ${milliseconds / 1000} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The codes of the findings that are shown for a file. */
function codes(uri) {
  return vscode.languages.getDiagnostics(uri).map(({ code }) => code.value ?? code);
}

/** Set a setting of ours for the test that runs; `restoreSettings` takes it back. */
const changed = new Set();
async function set(key, value) {
  changed.add(key);
  await vscode.workspace
    .getConfiguration(SECTION)
    .update(key, value, vscode.ConfigurationTarget.Workspace);
}

async function restoreSettings() {
  for (const key of changed) {
    await set(key, undefined);
  }
  changed.clear();
}

/** Replace what a file holds, behind the editor's back, as an agent would. */
function write(uri, text) {
  fs.writeFileSync(`${uri.fsPath}.new`, text);
  fs.renameSync(`${uri.fsPath}.new`, uri.fsPath);
}

/** What "Copy Debug Information" copies. */
async function information() {
  await vscode.commands.executeCommand("agentMemory.copyDebugInformation");
  return JSON.parse(await vscode.env.clipboard.readText());
}

module.exports = {
  EXTENSION,
  MEMORY,
  codes,
  file,
  information,
  open,
  restoreSettings,
  set,
  until,
  write,
};
