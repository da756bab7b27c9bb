// What the tests share: the extension, its project, and waiting.
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");
const { EXTENSION, SETTINGS, note } = require("./record");

const SECTION = "agentMemory";

/** The address of a file of the project. */
function file(name) {
  return vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, name);
}

const MEMORY = file(".deepagents/agent.md");
const USER_MEMORY = vscode.Uri.file(`${process.env.WORLD_HOME}/.deepagents/agent/agent.md`);

/** Run one of our commands. */
const run = (name, ...args) => vscode.commands.executeCommand(`agentMemory.${name}`, ...args);

/** What is on disk. */
const read = (uri) => fs.readFileSync(uri.fsPath, "utf8");

/** Open a file in an editor. */
async function open(uri) {
  return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
}

/** The place before `text` in a document. */
function before(document, text) {
  const at = document.getText().indexOf(text);
  assert.notEqual(at, -1, text);
  return document.positionAt(at);
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
  note("provider", "diagnosticProvider");
  return vscode.languages.getDiagnostics(uri).map(({ code }) => code.value ?? code);
}

/** Set a setting of ours for the test that runs; `restoreSettings` takes it back. */
const set = (key, value) =>
  vscode.workspace
    .getConfiguration(SECTION)
    .update(key, value, vscode.ConfigurationTarget.Workspace);

/** Whatever is set in the workspace is set no more, whoever set it. */
async function restoreSettings() {
  for (const name of SETTINGS) {
    const key = name.slice(SECTION.length + 1);
    if (vscode.workspace.getConfiguration(SECTION, MEMORY).inspect(key).workspaceValue !== undefined) {
      await set(key, undefined);
    }
  }
}

/** Replace what a file holds, behind the editor's back, as an agent would. */
function write(uri, text) {
  fs.writeFileSync(`${uri.fsPath}.new`, text);
  fs.renameSync(`${uri.fsPath}.new`, uri.fsPath);
}

/** A file of the project that only one test needs; `tidyUp` takes it away. */
function make(name, text) {
  fs.mkdirSync(path.dirname(file(name).fsPath), { recursive: true });
  fs.writeFileSync(file(name).fsPath, text);
}

/** All files of the project and of user memory, by their paths. */
function files() {
  const folders = [process.env.WORLD_ROOT, path.join(process.env.WORLD_HOME, ".deepagents")];
  const found = folders.flatMap((folder) =>
    fs.readdirSync(folder, { recursive: true }).map((name) => path.join(folder, name)),
  );
  const plain = found.filter((name) => !/\/\.(git|vscode)(\/|$)/.test(name) && fs.statSync(name).isFile());
  return new Map(plain.map((name) => [name, fs.readFileSync(name, "utf8")]));
}

const FIRST = files();

/** Remove a folder that holds nothing any more, and those above it. */
function removeEmpty(folder) {
  if (fs.readdirSync(folder).length === 0) {
    fs.rmdirSync(folder);
    removeEmpty(path.dirname(folder));
  }
}

/** For `afterEach`: editors, notifications, settings and files are what they were at the start. */
async function tidyUp() {
  await vscode.commands.executeCommand("notifications.clearAll");
  for (const document of vscode.workspace.textDocuments.filter((item) => item.isDirty)) {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand("workbench.action.files.revert");
  }
  await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  await restoreSettings();
  for (const name of files().keys()) {
    if (!FIRST.has(name)) {
      fs.rmSync(name);
      removeEmpty(path.dirname(name));
    }
  }
  for (const [name, text] of FIRST) {
    if (!fs.existsSync(name) || fs.readFileSync(name, "utf8") !== text) {
      fs.mkdirSync(path.dirname(name), { recursive: true });
      write(vscode.Uri.file(name), text);
    }
  }
}

/** The prompt, as another extension gets it. */
async function prompt(place) {
  return (await vscode.commands.executeCommand("companion.describe", place)).prompt;
}

/** What stands in the output of this name. */
function readLogs(name) {
  return fs
    .readdirSync(process.env.LOGS, { recursive: true })
    .filter((item) => path.basename(item) === `${name}.log`)
    .map((item) => fs.readFileSync(path.join(process.env.LOGS, item), "utf8"))
    .join("");
}

const traces = () => readLogs("Agent Memory Trace");

/** Our programs that run with `word` in their command line: `{pid, command}`. */
function processes(word) {
  const launcher = path.join(EXTENSION.extensionPath, "bundled", "launch.py");
  return fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => ({ pid, command: commandOf(pid) }))
    .filter(({ command }) => command.includes(launcher) && command.includes(word));
}

function commandOf(pid) {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1);
  } catch {
    return []; // it has ended meanwhile
  }
}

/** What "Copy Debug Information" copies. */
async function information() {
  await vscode.commands.executeCommand("agentMemory.copyDebugInformation");
  return JSON.parse(await vscode.env.clipboard.readText());
}

module.exports = {
  EXTENSION,
  MEMORY,
  USER_MEMORY,
  before,
  codes,
  file,
  information,
  make,
  open,
  processes,
  prompt,
  read,
  readLogs,
  restoreSettings,
  run,
  set,
  tidyUp,
  traces,
  until,
  write,
};
