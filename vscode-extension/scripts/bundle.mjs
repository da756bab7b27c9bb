// Copies the server and its libraries to bundled/: pure Python that runs on any interpreter.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const libs = path.join(here, "bundled", "libs");
const requirements = path.join(here, "..", "requirements", "run.txt");

/**
 * Not needed at run time: compiled code of this machine (PyYAML and watchdog work without theirs),
 * command line stubs, tests, type stubs and markers.
 */
const EXCLUDED = /(^|\/)(__pycache__|bin|tests?)$|\.(pyc|pyi|so|pyd|c|pxd|pyx|typed)$/;
/** Of the metadata of a library only its license is needed. */
const METADATA = /\.dist-info\/(?!licenses$|LICENSE|COPYING|AUTHORS)[^/]+$/;
/** Modules that nothing here imports: clients, command lines, formats, and alternatives that need compiled code. */
const UNUSED = [
  "cattr", "cattrs/preconf", "cattrs/strategies", "cattrs/subclasses.py",
  "markdown_it/cli", "markdown_it/port.yaml", "markdown_it/tree.py",
  "pygls/cli.py", "pygls/client.py", "pygls/lsp/_base_client.py", "pygls/lsp/client.py",
  "ruamel/yaml/clibz", "ruamel/yaml/configobjwalker.py", "ruamel/yaml/cyaml.py",
  "watchdog/__main__.py", "watchdog/observers/fsevents.py", "watchdog/observers/fsevents2.py",
  "watchdog/tricks", "watchdog/utils/echo.py", "watchdog/utils/event_debouncer.py",
  "watchdog/utils/process_watcher.py", "watchdog/watchmedo.py",
  "yaml/cyaml.py",
];

rmSync(path.join(here, "bundled"), { recursive: true, force: true });
mkdirSync(libs, { recursive: true });
const python = findPip();
execFileSync(
  python,
  [
    "-m", "pip", "install", "-qq", "--disable-pip-version-check", "--no-compile",
    "--target", libs, "--no-deps", "--only-binary", ":all:",
    "--require-hashes", "--requirement", requirements,
  ],
  { stdio: ["ignore", "inherit", "inherit"], env: { ...process.env, PIP_ROOT_USER_ACTION: "ignore" } },
);
removeUnused();
cpSync(path.join(here, "..", "server", "agent_memory"), path.join(libs, "agent_memory"), {
  recursive: true,
});
stripDocstrings();
stripExamples();
// The rule pages, where the installed package has them too; the list of all rules is on the web.
cpSync(path.join(here, "..", "docs", "rules"), path.join(libs, "agent_memory", "pages"), {
  recursive: true,
  filter: (source) => path.basename(source) !== "README.md",
});
cpSync(
  path.join(here, "..", "docs", "agent-memory.schema.json"),
  path.join(here, "bundled", "agent-memory.schema.json"),
);
cpSync(path.join(here, "python", "launch.py"), path.join(here, "bundled", "launch.py"));
prune(libs);
if (!existsSync(path.join(libs, "agent_memory", "__init__.py"))) {
  throw new Error("the bundle does not contain the server");
}

/** A Python with pip: $PYTHON, else the one in .venv, else one on the PATH. */
function findPip() {
  const own = ["bin/python", "Scripts/python.exe"].map((name) => path.join(here, "..", ".venv", name));
  const choices = [process.env.PYTHON, ...own, "python3", "python"].filter(Boolean);
  const found = choices.find(
    (python) => spawnSync(python, ["-m", "pip", "--version"]).status === 0,
  );
  if (!found) {
    throw new Error(`no Python with pip among ${choices.join(", ")}; set PYTHON`);
  }
  return found;
}

/** The tools of the MCP server are described by their docstrings. */
function stripDocstrings() {
  const own = path.join(libs, "agent_memory");
  const parts = [libs, own].flatMap((folder) => readdirSync(folder).map((name) => path.join(folder, name)));
  const others = parts.filter((part) => ![own, path.join(own, "integrations")].includes(part));
  execFileSync(python, [path.join(here, "scripts", "strip_docstrings.py"), ...others], { stdio: "inherit" });
}

/** Each word of a list has an example, for its test. */
function stripExamples() {
  const folder = path.join(libs, "agent_memory", "lint", "words");
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    const lines = readFileSync(file, "utf8").split("\n").filter((line) => !line.startsWith("#"));
    const words = lines.map((line) => line.replace(/ = (?:"(?:[^"\\]|\\.)*"|'[^']*')$/, ' = ""'));
    writeFileSync(file, words.join("\n"));
  }
}

function removeUnused() {
  for (const name of UNUSED) {
    const full = path.join(libs, name);
    if (!existsSync(full)) {
      throw new Error(`${name} is no longer part of its library: remove it from UNUSED`);
    }
    rmSync(full, { recursive: true });
  }
}

/** @param {string} folder */
function prune(folder) {
  for (const name of readdirSync(folder)) {
    const full = path.join(folder, name);
    const relative = path.relative(libs, full).split(path.sep).join("/");
    if (EXCLUDED.test(relative) || METADATA.test(relative)) {
      rmSync(full, { recursive: true });
    } else if (statSync(full).isDirectory()) {
      prune(full);
    }
  }
}
