// VS Code calls run() inside the extension host.
const fs = require("node:fs");
const path = require("node:path");
const Mocha = require("mocha");

exports.run = () => {
  const mocha = new Mocha({
    ui: "bdd",
    color: false,
    timeout: 20_000,
    reporter: "json",
    reporterOption: { output: process.env.MOCHA_REPORT },
  });
  for (const name of fs.readdirSync(__dirname).sort()) {
    if (name.endsWith(".test.js")) {
      mocha.addFile(path.join(__dirname, name));
    }
  }
  return new Promise((resolve, reject) => {
    mocha.run((failures) => (failures ? reject(new Error(`${failures} failed`)) : resolve()));
  });
};

// It is loaded as an extension too, so that VS Code runs the tests beside the other ones.
exports.activate = () => {};
