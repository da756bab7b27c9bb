// The server's processes, as the system sees them.
import fs from "node:fs";
import path from "node:path";

/** The process ids of the servers that run in `world`. */
export function servers(world) {
  return fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const command = read(pid, "cmdline");
      return command.includes("serve") && command.some((part) => part.startsWith(world.root));
    });
}

/** The command lines in `world` that have the argument `name`. */
export function commandLines(world, name) {
  return fs
    .readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid))
    .map((pid) => read(pid, "cmdline").slice(0, -1))
    .filter((command) => command.includes(name) && command.some((part) => part.startsWith(world.root)));
}

/** The folder of the `python3` that a process finds first. */
export function pythonOf(pid) {
  const variable = read(pid, "environ").find((entry) => entry.startsWith("PATH="));
  return variable
    ?.slice("PATH=".length)
    .split(path.delimiter)
    .find((folder) => fs.existsSync(path.join(folder, "python3")));
}

function read(pid, name) {
  try {
    return fs.readFileSync(`/proc/${pid}/${name}`, "utf8").split("\0");
  } catch {
    return []; // it has ended meanwhile
  }
}
