// Installed agents: the real programs, as the conformance tests install them.
import { execFileSync } from "node:child_process";
import path from "node:path";
import { ROOT } from "./paths.mjs";

const INSTALL = `
import sys
from conformance.agents import programs
agent = programs.AGENTS[sys.argv[1]]
failed = programs.install(agent)
if failed:
    sys.exit(failed)
print(agent.bin)
`;

/** Install an agent at its pinned version unless it is; returns the folder of its command. */
export function installAgent(id) {
  const python = path.join(ROOT, ".venv", "bin", "python");
  const env = { ...process.env, PYTHONPATH: path.join(ROOT, "tests") };
  return execFileSync(python, ["-c", INSTALL, id], { encoding: "utf8", env }).trim();
}
