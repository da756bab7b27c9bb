// VS Code calls run() inside the extension host.
const fs = require("node:fs");
const path = require("node:path");
const Mocha = require("mocha");
const record = require("./record");

/** Compares what the others have exercised with what there is. */
const LAST = "whole.test.js";

exports.run = () => {
  const mocha = new Mocha({
    ui: "bdd",
    color: false,
    timeout: 40_000,
    retries: 1, // the report tells which needed it (lib/attempts.mjs)
    reporter: "json",
    reporterOption: { output: process.env.MOCHA_REPORT },
  });
  const { SUITE } = process.env;
  const names = fs.readdirSync(__dirname).filter((name) => name.endsWith(".test.js") && name !== LAST);
  const chosen = SUITE ? names.filter((name) => name.startsWith(SUITE)) : [...names.sort(), LAST];
  for (const name of chosen) {
    mocha.addFile(path.join(__dirname, name));
  }
  return new Promise((resolve, reject) => {
    const done = (failures) => (failures ? reject(new Error(`${failures} failed`)) : resolve());
    const runner = mocha.run(done);
    record.watch(runner);
    tellProgress(runner);
  });
};

/** What is known of a run that does not end. */
function tellProgress(runner) {
  const tell = (line) => fs.appendFileSync(`${process.env.MOCHA_REPORT}.progress`, `${line}\n`);
  runner.on("test", (test) => tell(`begins ${test.fullTitle()}`));
  runner.on("pass", (test) => tell(`passes ${test.fullTitle()} (${test.duration} ms)`));
  runner.on("fail", (test, error) => tell(`FAILS ${test.fullTitle()}: ${error.message}`));
}

// It is loaded as an extension too, so that VS Code runs the tests beside the other ones.
exports.activate = () => {};
