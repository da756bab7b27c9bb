// The server's processes, read from /proc.
import fs from "node:fs";
import path from "node:path";

/** The process ids of the servers in `sandbox`. */
export function servers(sandbox) {
  return fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const command = read(pid, "cmdline");
      return command.includes("serve") && command.some((part) => part.startsWith(sandbox.root));
    });
}

/** The command lines in `sandbox` with the argument `name`. */
export function commandLines(sandbox, name) {
  return fs
    .readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid))
    .map((pid) => read(pid, "cmdline").slice(0, -1))
    .filter((command) => command.includes(name) && command.some((part) => part.startsWith(sandbox.root)));
}

/** The first folder with `python3` on the PATH of a process. */
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
    return []; // the process has ended
  }
}
