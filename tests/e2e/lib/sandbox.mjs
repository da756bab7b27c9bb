// A sandbox for each journey: a new home and a project in git, with their files.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { AGENT_MEMORY, BARE_PYTHON, NODE_BIN } from "./paths.mjs";

/**
 * Create a sandbox. `workspace` and `home` map relative paths to file contents.
 * `python: false` creates a PATH without Python; `bins` are folders of further commands.
 */
export function createSandbox({ workspace = {}, home = {}, python = true, bins = [] } = {}) {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "agent-memory-e2e-")));
  const sandbox = new Sandbox(root, python, bins);
  for (const folder of [sandbox.workspace, sandbox.home, sandbox.chromium]) {
    fs.mkdirSync(folder, { recursive: true });
  }
  execFileSync("git", ["init", "-q", sandbox.workspace]);
  // VS Code reads the PATH from a login shell, and the system's profile overwrites it.
  sandbox.write("~/.bash_profile", `export PATH='${sandbox.path}'\n`);
  for (const [name, text] of Object.entries(workspace)) {
    sandbox.write(name, text);
  }
  for (const [name, text] of Object.entries(home)) {
    sandbox.write(`~/${name}`, text);
  }
  return sandbox;
}

class Sandbox {
  /** Additional environment variables for all programs of this sandbox. */
  variables = {};

  constructor(root, python, bins) {
    this.root = root;
    this.workspace = path.join(root, "tides");
    this.home = path.join(root, "home");
    this.chromium = path.join(root, "chromium");
    this.data = path.join(root, "code-server");
    const rest = python ? [NODE_BIN, BARE_PYTHON, process.env.PATH] : [pathWithoutPython(root)];
    this.path = [...bins, ...rest].join(path.delimiter);
  }

  /** The environment of all programs of this sandbox, without the real home. */
  get env() {
    const { LANG = "C.UTF-8", AGENT_MEMORY_RUN } = process.env;
    return {
      LANG,
      ...(AGENT_MEMORY_RUN && { AGENT_MEMORY_RUN }),
      ...this.variables,
      PATH: this.path,
      HOME: this.home,
      SHELL: "/bin/bash",
      XDG_CONFIG_HOME: path.join(this.home, ".config"),
      XDG_DATA_HOME: path.join(this.home, ".local", "share"),
      XDG_CACHE_HOME: path.join(this.home, ".cache"),
      XDG_STATE_HOME: path.join(this.home, ".local", "state"),
    };
  }

  /** The absolute path of `name`, relative to the project, or to the home for `~/…`. */
  at(name) {
    return name.startsWith("~/")
      ? path.join(this.home, name.slice(2))
      : path.resolve(this.workspace, name);
  }

  read(name) {
    return fs.readFileSync(this.at(name), "utf8");
  }

  exists(name) {
    return fs.existsSync(this.at(name));
  }

  write(name, text) {
    const file = this.at(name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }

  /** Replace a file atomically: write a temporary file, then rename it. */
  writeAtomically(name, text) {
    const file = this.at(name);
    fs.writeFileSync(`${file}.new`, text);
    fs.renameSync(`${file}.new`, file);
  }

  /** Run our command line in this sandbox; returns its output. */
  agentMemory(...args) {
    return execFileSync(AGENT_MEMORY, args, {
      cwd: this.workspace,
      env: this.env,
      encoding: "utf8",
    });
  }

  remove() {
    fs.rmSync(this.root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** A folder with links to the programs code-server needs, without Python. */
function pathWithoutPython(root) {
  const bin = path.join(root, "bin");
  fs.mkdirSync(bin);
  fs.symlinkSync(path.join(NODE_BIN, "node"), path.join(bin, "node"));
  for (const tool of ["sh", "bash", "env", "git", "ps", "cat", "sed", "grep", "uname", "which"]) {
    const found = execFileSync("sh", ["-c", `command -v ${tool}`], { encoding: "utf8" }).trim();
    fs.symlinkSync(found, path.join(bin, tool));
  }
  return bin;
}

/** Wait until `condition` returns a truthy value; fails with `what` after `ms` milliseconds. */
export async function until(what, condition, ms = 60_000) {
  const end = Date.now() + ms;
  for (;;) {
    const value = await condition();
    if (value) {
      return value;
    }
    if (Date.now() > end) {
      throw new Error(`not within ${ms / 1000} s: ${what}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
