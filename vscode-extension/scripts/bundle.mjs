// Copies the server and its libraries to bundled/: pure Python that runs on any interpreter.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const libs = path.join(here, "bundled", "libs");
const requirements = path.join(here, "..", "requirements", "run.txt");

/**
 * Not needed at run time: compiled code of this machine (PyYAML and watchdog work without theirs),
 * command line stubs, tests, type stubs.
 */
const EXCLUDED = /(^|\/)(__pycache__|bin|tests?)$|\.(pyc|pyi|so|pyd|c|pxd|pyx)$|(^|\/)RECORD$/;

rmSync(path.join(here, "bundled"), { recursive: true, force: true });
mkdirSync(libs, { recursive: true });
execFileSync(
  findPip(),
  [
    "-m", "pip", "install", "-qq", "--disable-pip-version-check", "--no-compile",
    "--target", libs, "--no-deps", "--only-binary", ":all:",
    "--require-hashes", "--requirement", requirements,
  ],
  { stdio: ["ignore", "inherit", "inherit"], env: { ...process.env, PIP_ROOT_USER_ACTION: "ignore" } },
);
cpSync(path.join(here, "..", "server", "agent_memory"), path.join(libs, "agent_memory"), {
  recursive: true,
});
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

/** @param {string} folder */
function prune(folder) {
  for (const name of readdirSync(folder)) {
    const full = path.join(folder, name);
    if (EXCLUDED.test(path.relative(libs, full).split(path.sep).join("/"))) {
      rmSync(full, { recursive: true });
    } else if (statSync(full).isDirectory()) {
      prune(full);
    }
  }
}
