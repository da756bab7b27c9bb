// Which Python runs the server: the setting's, else that of the Python extension, else PATH's.
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");
const { file, information, readLogs, restoreSettings, set, until } = require("./support");

/** The `python3` on PATH, by its whole path. */
const PYTHON = process.env.PATH.split(path.delimiter)
  .map((folder) => path.join(folder, "python3"))
  .find((file) => fs.existsSync(file));

const runsOn = (what, command, origin) =>
  until(what, async () => {
    const { interpreter, state } = await information();
    return state === "running" && interpreter.command === command && interpreter.origin === origin;
  });

describe("the interpreter", () => {
  afterEach(async () => {
    await restoreSettings();
    await vscode.commands.executeCommand("python.choose", "");
    await runsOn("that of PATH again", "python3", "path");
  });

  it("follows the Python extension without a restart of the editor", async () => {
    await runsOn("that of PATH", "python3", "path");
    await vscode.commands.executeCommand("python.choose", PYTHON);
    await runsOn("the chosen one", PYTHON, "python-extension");
  });

  it("is that of PATH where the Python extension fails, and the log says why", async () => {
    await vscode.commands.executeCommand("python.choose", PYTHON);
    await runsOn("the chosen one", PYTHON, "python-extension");
    await vscode.commands.executeCommand("python.choose", "fails");
    await runsOn("that of PATH", "python3", "path");
    await until("the reason", () =>
      readLogs("Agent Memory").includes("names no interpreter: the environments cannot be listed"),
    );
  });

  it("is that of the setting, whatever the Python extension says", async () => {
    await set("interpreter", PYTHON);
    await runsOn("the one of the setting", PYTHON, "setting");
    const { server } = await information();
    await vscode.commands.executeCommand("python.choose", "/nowhere/python");
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    assert.deepEqual((await information()).server, server);
  });

  it("is told by importStrategy whose packages to use", async () => {
    const python = file("bin/python").fsPath;
    const lines = () => fs.readFileSync(`${python}.told`, "utf8").split("\n");
    const told = () => lines().findLast((line) => line.endsWith(" serve"));
    fs.mkdirSync(path.dirname(python), { recursive: true });
    fs.writeFileSync(python, `#!/bin/sh\necho "$@" >> "$0.told"\nexec "${PYTHON}" "$@"\n`, { mode: 0o755 });
    await set("interpreter", python);
    await runsOn("the one that notes what it is told", python, "setting");
    assert.match(told(), / -S .*useBundled serve$/);
    await set("importStrategy", "fromEnvironment");
    await until("it is told", () => told().endsWith("fromEnvironment serve"));
    assert.doesNotMatch(told(), / -S /);
    await runsOn("and it runs", python, "setting");
  });
});
