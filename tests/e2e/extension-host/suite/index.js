// VS Code calls run() inside the extension host.
const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");
const Mocha = require("mocha");
const usage = require("./usage");

/** Compares what the other files have used, so it runs last. */
const LAST = "coverage.test.js";

exports.run = () => {
  const mocha = new Mocha({
    ui: "bdd",
    color: false,
    timeout: 240_000,
    reporter: "json",
    reporterOption: { output: process.env.MOCHA_REPORT },
  });
  const isChosen = (name) => process.env.SUITE.split(",").some((item) => name.startsWith(item));
  const names = fs.readdirSync(__dirname).filter((name) => name.endsWith(".test.js") && isChosen(name));
  const chosen = names.sort((a, b) => (a === LAST) - (b === LAST) || (a < b ? -1 : 1));
  mocha.rootHooks({ beforeAll: waitForWatcher });
  for (const name of chosen) {
    mocha.addFile(path.join(__dirname, name));
  }
  return new Promise((resolve, reject) => {
    const done = (failures) => (failures ? reject(new Error(`${failures} failed`)) : resolve());
    const runner = mocha.run(done);
    usage.watch(runner);
    logProgress(runner);
  });
};

/** Wait until the editor reports changes on disk: its watcher starts late on a busy machine. */
async function waitForWatcher() {
  const { file, until, write } = require("./support");
  const probe = file("probe.txt");
  const watcher = vscode.workspace.createFileSystemWatcher("**/probe.txt");
  let isSeen = false;
  watcher.onDidCreate(() => (isSeen = true));
  watcher.onDidChange(() => (isSeen = true));
  await until("a change on disk", () => {
    write(probe, "");
    return isSeen;
  });
  watcher.dispose();
  fs.rmSync(probe.fsPath);
}

/** Write the progress to a file, for runs that time out. */
function logProgress(runner) {
  const log = (line) => fs.appendFileSync(`${process.env.MOCHA_REPORT}.progress`, `${line}\n`);
  runner.on("test", (test) => log(`begins ${test.fullTitle()}`));
  runner.on("pass", (test) => log(`passes ${test.fullTitle()} (${test.duration} ms)`));
  runner.on("fail", (test, error) => log(`FAILS ${test.fullTitle()}: ${error.message}`));
}

// Also loaded as an extension, so that VS Code runs the tests beside the other extensions.
exports.activate = () => {};
