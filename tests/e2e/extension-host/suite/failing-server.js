// A server that answers selected requests with an error.
const fs = require("node:fs");
const path = require("node:path");
const { file, set } = require("./support");

const PYTHON = process.env.PATH.split(path.delimiter)
  .map((folder) => path.join(folder, "python3"))
  .find((name) => fs.existsSync(name));
const COMMAND = file("bin/failing-python");
const LIST = `${COMMAND.fsPath}.list`;

/** Use it as the interpreter until `tidyUp`. */
exports.useFailingServer = async () => {
  fs.mkdirSync(path.dirname(COMMAND.fsPath), { recursive: true });
  const script = path.join(__dirname, "failing_server.py");
  fs.writeFileSync(LIST, "");
  fs.writeFileSync(COMMAND.fsPath, `#!/bin/sh\nexec "${PYTHON}" "${script}" "${LIST}" "${PYTHON}" "$@"\n`, {
    mode: 0o755,
  });
  await set("interpreter", COMMAND.fsPath);
};

/** From now on fail for exactly these methods. */
exports.fail = (...methods) => fs.writeFileSync(LIST, methods.join("\n"));
