// What the tests that passed have exercised. Nothing is listed here: calls note themselves, and
// whole.test.js compares them with what the manifest and the server declare.
const vscode = require("vscode");

const EXTENSION = vscode.extensions.getExtension("agent-memory.agent-memory");
const MANIFEST = EXTENSION.packageJSON.contributes;
const SETTINGS = Object.keys([MANIFEST.configuration].flat().reduce(
  (all, { properties }) => ({ ...all, ...properties }),
  {},
));

/** By kind: `command`, `setting`, `view`, `link`. */
const shown = new Set();
let noted = new Set();

/** Note for the running test that `name` was used; it counts when the test passes. */
function note(kind, name) {
  noted.add(`${kind} ${name}`);
}

/** The commands of ours that a menu shows as `label`, which a person has chosen. */
function noteLabel(label) {
  for (const { command, title } of MANIFEST.commands) {
    if (title === label) {
      note("command", command);
    }
  }
}

/** Note what the tests of `runner` do, from the first test to the end of the last. */
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
  // Before the hooks that tidy up, so that what they set back does not count.
  runner.on("pass", () => {
    for (const item of noted) {
      shown.add(item);
    }
  });
}

/** Those of `names` that no test has exercised. */
function missing(kind, names) {
  return names.filter((name) => !shown.has(`${kind} ${name}`));
}

module.exports = { EXTENSION, MANIFEST, SETTINGS, missing, note, noteLabel, watch };
