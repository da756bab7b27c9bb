// Shared by the tests: the extension, its project, and waiting.
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");
const { EXTENSION, SETTINGS, note } = require("./usage");

const SECTION = "agentMemory";
const TIMEOUT_MS = 60_000;

/** The URI of a project file. */
function file(name) {
  return vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, name);
}

const MEMORY = file(".deepagents/agent.md");
const USER_MEMORY = vscode.Uri.file(`${process.env.SANDBOX_HOME}/.deepagents/agent/agent.md`);

/** Run one of our commands. */
const run = (name, ...args) => vscode.commands.executeCommand(`agentMemory.${name}`, ...args);

/** The content of a file on disk. */
const read = (uri) => fs.readFileSync(uri.fsPath, "utf8");

/** Open a file in an editor. */
async function open(uri) {
  return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
}

/** Undo the last edit of the shown `document`. The command does nothing while another widget has the focus. */
async function undo(document) {
  const text = document.getText();
  await until("undo takes effect", async () => {
    await vscode.commands.executeCommand("workbench.action.focusActiveEditorGroup");
    await vscode.commands.executeCommand("undo");
    return document.getText() !== text;
  });
}

/** The position of `text` in a document. */
function before(document, text) {
  const at = document.getText().indexOf(text);
  assert.notEqual(at, -1, text);
  return document.positionAt(at);
}

/**
 * Wait until `condition` returns a truthy value; one that throws is tried again. `detail` is for the
 * message of a failure.
 */
async function until(what, condition, milliseconds = TIMEOUT_MS, detail = () => []) {
  const end = Date.now() + milliseconds;
  let reason;
  const attempt = async () => condition();
  for (;;) {
    const value = await attempt().catch((error) => {
      reason = error.message;
    });
    if (value) {
      return value;
    }
    const message = [`not within ${milliseconds / 1000} s: ${what}`, ...(reason ? [reason] : []), ...detail()];
    assert.ok(Date.now() < end, message.join("\n"));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The codes of the diagnostics of a file. */
function codes(uri) {
  note("provider", "diagnosticProvider");
  return vscode.languages.getDiagnostics(uri).map(({ code }) => code.value ?? code);
}

/** Set one of our settings for the running test; `restoreSettings` removes it. */
const set = (key, value) =>
  vscode.workspace
    .getConfiguration(SECTION)
    .update(key, value, vscode.ConfigurationTarget.Workspace);

/** Remove all our settings from the workspace. */
async function restoreSettings() {
  for (const name of SETTINGS) {
    const key = name.slice(SECTION.length + 1);
    if (vscode.workspace.getConfiguration(SECTION, MEMORY).inspect(key).workspaceValue !== undefined) {
      await set(key, undefined);
    }
  }
}

/** Replace a file on disk atomically, as an agent would. */
function write(uri, text) {
  fs.writeFileSync(`${uri.fsPath}.new`, text);
  fs.renameSync(`${uri.fsPath}.new`, uri.fsPath);
}

/** Create a project file for one test; `tidyUp` removes it. */
function make(name, text) {
  fs.mkdirSync(path.dirname(file(name).fsPath), { recursive: true });
  fs.writeFileSync(file(name).fsPath, text);
}

/** The contents of all files of the project and of user memory, by path. */
function files() {
  const folders = [process.env.SANDBOX_ROOT, path.join(process.env.SANDBOX_HOME, ".deepagents")];
  const found = folders.flatMap((folder) =>
    fs.readdirSync(folder, { recursive: true }).map((name) => path.join(folder, name)),
  );
  const texts = found.filter((name) => !/\/\.(git|vscode)(\/|$)/.test(name)).map((name) => [name, textOf(name)]);
  return new Map(texts.filter(([, text]) => text !== undefined));
}

/** The content of a file; undefined for a folder, and for a temporary file that is gone. */
function textOf(name) {
  try {
    return fs.readFileSync(name, "utf8");
  } catch (error) {
    if (["EISDIR", "ENOENT"].includes(error.code)) {
      return undefined;
    }
    throw error;
  }
}

const INITIAL = files();

/** Remove an empty folder, and empty parents. */
function removeEmpty(folder) {
  if (fs.existsSync(folder) && fs.readdirSync(folder).length === 0) {
    fs.rmdirSync(folder);
    removeEmpty(path.dirname(folder));
  }
}

/** For `afterEach`: restore editors, notifications, settings and files to their initial state. */
async function tidyUp() {
  await vscode.commands.executeCommand("notifications.clearAll");
  await restoreSettings();
  await deleteDocuments();
  restoreFiles();
  await revertDocuments();
  await vscode.commands.executeCommand("workbench.action.closeAllEditors");
}

/**
 * Delete new files that are open with the editor: a document whose file is deleted outside of it
 * stays open without a tab for minutes, and the server is sent its text until then.
 */
async function deleteDocuments() {
  const isNew = ({ uri }) => uri.scheme === "file" && !INITIAL.has(uri.fsPath) && files().has(uri.fsPath);
  const edit = new vscode.WorkspaceEdit();
  const uris = vscode.workspace.textDocuments.filter(isNew).map(({ uri }) => uri);
  uris.forEach((uri) => edit.deleteFile(uri, { ignoreIfNotExists: true }));
  if (uris.length > 0) {
    await vscode.workspace.applyEdit(edit);
    uris.forEach((uri) => removeEmpty(path.dirname(uri.fsPath)));
  }
}

function restoreFiles() {
  for (const name of files().keys()) {
    if (!INITIAL.has(name)) {
      fs.rmSync(name);
      removeEmpty(path.dirname(name));
    }
  }
  for (const [name, text] of INITIAL) {
    if (!fs.existsSync(name) || fs.readFileSync(name, "utf8") !== text) {
      fs.mkdirSync(path.dirname(name), { recursive: true });
      write(vscode.Uri.file(name), text);
    }
  }
}

/**
 * Reload every open document that differs from its file. The editor keeps documents without a tab
 * open for minutes and notices a written file late; until then the server is sent the old text.
 */
async function revertDocuments() {
  const differs = (item) => item.isDirty || (INITIAL.has(item.uri.fsPath) && item.getText() !== read(item.uri));
  const differing = () => vscode.workspace.textDocuments.filter((item) => item.uri.scheme === "file" && differs(item));
  // An edit that is still under way can make a document differ again, and a document whose file is
  // gone cannot be reverted, only closed.
  await until(
    "all open documents hold what is on disk",
    async () => {
      for (const document of differing()) {
        await vscode.window.showTextDocument(document);
        await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
      }
      return differing().length === 0;
    },
    TIMEOUT_MS,
    () => differing().map(({ uri, isDirty }) => `${uri.fsPath}${isDirty ? " (unsaved)" : ""}`),
  );
}

/** The prompt from the extension API. */
async function prompt(options) {
  return (await vscode.commands.executeCommand("companion.describe", options)).prompt;
}

/** The content of the output channel `name`. */
function readLogs(name) {
  return fs
    .readdirSync(process.env.LOGS, { recursive: true })
    .filter((item) => path.basename(item) === `${name}.log`)
    .map((item) => fs.readFileSync(path.join(process.env.LOGS, item), "utf8"))
    .join("");
}

const traces = () => readLogs("Agent Memory Trace");

/** Our processes with `word` in their command line: `{pid, command}`. */
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
    return []; // the process has ended
  }
}

/** The result of "Copy Debug Information". */
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
  undo,
  traces,
  until,
  write,
};
