// Records what the passing tests use. coverage.test.js compares it with what the manifest and the
// server declare. The suite runs in parts: what no part uses fails the journey.
const fs = require("node:fs");
const vscode = require("vscode");

const EXTENSION = vscode.extensions.getExtension("agent-memory.agent-memory");
const MANIFEST = EXTENSION.packageJSON.contributes;
const PROPERTIES = Object.assign({}, ...[MANIFEST.configuration].flat().map(({ properties }) => properties));
const SETTINGS = Object.keys(PROPERTIES);
/** The scope of each setting. */
const SCOPES = Object.fromEntries(Object.entries(PROPERTIES).map(([name, { scope }]) => [name, scope]));

/** By kind: `command`, `setting`, `view`, `link`. */
const used = new Set();
let noted = new Set();

/** Record that the running test uses `name`; it counts when the test passes. */
function note(kind, name) {
  noted.add(`${kind} ${name}`);
}

/** Record our commands with the menu label `label`. */
function noteLabel(label) {
  for (const { command, title } of MANIFEST.commands) {
    if (title.replace(/…$/, "") === String(label).replace(/…$/, "")) {
      note("command", command);
    }
  }
}

/** Record the usage of all tests of `runner`. */
function watch(runner) {
  const { executeCommand } = vscode.commands;
  vscode.commands.executeCommand = (name, ...args) => {
    note("command", name);
    return executeCommand(name, ...args);
  };
  vscode.workspace.onDidChangeConfiguration((event) => {
    for (const name of SETTINGS.filter((item) => event.affectsConfiguration(item))) {
      note("setting", name);
    }
  });
  runner.on("test", () => {
    noted = new Set();
  });
  // Before the afterEach hooks, so that settings they restore do not count.
  runner.on("pass", () => {
    for (const item of noted) {
      used.add(item);
    }
  });
}

/** Report which of the `names` no passing test of this part uses. */
function compare(kind, names) {
  const unused = names.map((name) => `${kind} ${name}`).filter((item) => !used.has(item));
  fs.appendFileSync(`${process.env.MOCHA_REPORT}.unused`, unused.map((item) => `${item}\n`).join(""));
}

module.exports = { EXTENSION, MANIFEST, SCOPES, SETTINGS, compare, note, noteLabel, watch };
