// The Python that runs the server: from the setting, the Python extension, or PATH.
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");
const { file, information, processes, readLogs, restoreSettings, set, until } = require("./support");

/** The absolute path of `python3` on PATH. */
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
    await runsOn("the interpreter from PATH again", "python3", "path");
  });

  it("follows the Python extension without a restart of the editor", async () => {
    await runsOn("the interpreter from PATH", "python3", "path");
    await vscode.commands.executeCommand("python.choose", PYTHON);
    await runsOn("the selected interpreter", PYTHON, "python-extension");
  });

  it("comes from PATH if the Python extension fails, and the log has the reason", async () => {
    await vscode.commands.executeCommand("python.choose", PYTHON);
    await runsOn("the selected interpreter", PYTHON, "python-extension");
    await vscode.commands.executeCommand("python.choose", "fails");
    await runsOn("the interpreter from PATH", "python3", "path");
    await until("the reason", () =>
      readLogs("Agent Memory").includes("names no interpreter: the environments cannot be listed"),
    );
  });

  it("comes from the setting regardless of the Python extension", async () => {
    await set("interpreter", PYTHON);
    await runsOn("the configured interpreter", PYTHON, "setting");
    const started = processes("serve");
    await vscode.commands.executeCommand("python.choose", "/nowhere/python");
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    assert.equal(started.length, 1);
    assert.deepEqual(processes("serve"), started);
  });

  it("receives the import strategy", async () => {
    const python = file("bin/python").fsPath;
    const lines = () => fs.readFileSync(`${python}-arguments`, "utf8").split("\n");
    const command = () => lines().findLast((line) => line.endsWith(" serve"));
    fs.mkdirSync(path.dirname(python), { recursive: true });
    fs.writeFileSync(python, `#!/bin/sh\necho "$@" >> "$0-arguments"\nexec "${PYTHON}" "$@"\n`, { mode: 0o755 });
    await set("interpreter", python);
    await runsOn("the recording interpreter", python, "setting");
    assert.match(command(), / -S .*useBundled serve$/);
    await set("importStrategy", "fromEnvironment");
    await until("the changed strategy", () => command().endsWith("fromEnvironment serve"));
    assert.doesNotMatch(command(), / -S /);
    await runsOn("the running server", python, "setting");
  });
});
