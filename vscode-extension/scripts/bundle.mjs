// Puts the server and its libraries into bundled/: plain Python that runs on any interpreter.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const libs = path.join(here, "bundled", "libs");
const requirements = path.join(here, "..", "requirements", "run.txt");

/**
 * Not needed to run: compiled code of this machine (PyYAML and watchdog work without theirs),
 * command line stubs, tests, type stubs.
 */
const LEFT_OUT = /(^|\/)(__pycache__|bin|tests?)$|\.(pyc|pyi|so|pyd|c|pxd|pyx)$|(^|\/)RECORD$/;

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
  throw new Error("the server is not in the bundle");
}

/** A Python with pip: $PYTHON, else that of this checkout's environment, else one on the path. */
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
    if (LEFT_OUT.test(path.relative(libs, full).split(path.sep).join("/"))) {
      rmSync(full, { recursive: true });
    } else if (statSync(full).isDirectory()) {
      prune(full);
    }
  }
}
