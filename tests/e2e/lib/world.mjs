// A world of its own for each journey: a fresh home, a project in git, and the files they hold.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { AGENT_MEMORY, BARE_PYTHON, NODE_BIN } from "./paths.mjs";

/**
 * Make a world. `workspace` and `home` map relative paths to what the files hold.
 * `python: false` gives it a PATH on which no Python can be found.
 */
export function makeWorld({ workspace = {}, home = {}, python = true } = {}) {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "agent-memory-e2e-")));
  const world = new World(root, python);
  for (const folder of [world.workspace, world.home, world.chromium]) {
    fs.mkdirSync(folder, { recursive: true });
  }
  execFileSync("git", ["init", "-q", world.workspace]);
  // VS Code asks a login shell for its PATH, and the system's profile sets one of its own.
  world.write("~/.bash_profile", `export PATH='${world.path}'\n`);
  for (const [name, text] of Object.entries(workspace)) {
    world.write(name, text);
  }
  for (const [name, text] of Object.entries(home)) {
    world.write(`~/${name}`, text);
  }
  return world;
}

class World {
  /** More variables for every program of this world. */
  variables = {};

  constructor(root, python) {
    this.root = root;
    this.workspace = path.join(root, "tides");
    this.home = path.join(root, "home");
    this.chromium = path.join(root, "chromium");
    this.data = path.join(root, "code-server");
    this.path = python
      ? [NODE_BIN, BARE_PYTHON, process.env.PATH].join(path.delimiter)
      : pathWithoutPython(root);
  }

  /** The environment of every program of this world; nothing of the tester's own home is in it. */
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

  /** The absolute path of `name`: relative to the project, or `~/…` in the home. */
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

  /** Replace a file as most programs do: write beside it, then rename over it. */
  writeAtomically(name, text) {
    const file = this.at(name);
    fs.writeFileSync(`${file}.new`, text);
    fs.renameSync(`${file}.new`, file);
  }

  /** Run our command line in this world; returns what it prints. */
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

/** A folder with links to what code-server needs to start, and to no Python. */
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

/** Wait until `condition` returns something true; fails with `what` after `ms` milliseconds. */
export async function until(what, condition, ms = 30_000) {
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
