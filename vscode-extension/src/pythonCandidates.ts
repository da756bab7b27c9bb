/** The interpreters of this machine: on PATH, in the project, and known to the Python extension. */
import { existsSync, realpathSync } from "node:fs";
import * as path from "node:path";
import type { Probe } from "./interpreter";
import { isRecent, probePython } from "./interpreter";

/** A usable interpreter: `command` is what the setting stores. */
export interface FoundPython {
  command: string;
  version: string;
}

/** Minor versions whose own command may be on PATH. */
const MINORS = [11, 12, 13, 14, 15, 16];

/** The existing files that may be interpreters; a file with several names is listed once. */
export function pythonCandidates(
  searchPath: string,
  folders: readonly string[],
  known: readonly string[],
  platform: NodeJS.Platform,
): string[] {
  const isWindows = platform === "win32";
  const suffix = isWindows ? ".exe" : "";
  const names = ["python3", "python", ...MINORS.map((minor) => `python3.${minor}`)];
  const inEnvironment = isWindows ? ["Scripts", "python.exe"] : ["bin", "python"];
  const candidates = [
    ...folders.flatMap((folder) => [".venv", "venv"].map((name) => path.join(folder, name, ...inEnvironment))),
    ...known,
    ...searchPath
      .split(path.delimiter)
      .filter((folder) => path.isAbsolute(folder))
      .flatMap((folder) => names.map((name) => path.join(folder, name + suffix))),
  ];
  const byFile = new Map<string, string>();
  for (const candidate of candidates.filter((file) => existsSync(file))) {
    const key = identity(candidate);
    if (!byFile.has(key)) {
      byFile.set(key, candidate);
    }
  }
  return [...byFile.values()];
}

/** The usable ones of `candidates`, in order; a program with several wrappers is listed once. */
export async function usablePythons(
  candidates: readonly string[],
  probe: (command: string) => Promise<Probe> = probePython,
): Promise<FoundPython[]> {
  const answers = await Promise.all(candidates.map(async (command) => ({ command, answer: await probe(command) })));
  const byProgram = new Map<string, FoundPython>();
  for (const { command, answer } of answers) {
    const key = answer.ok ? identity(answer.executable ?? command) : "";
    if (answer.ok && isRecent(answer.version) && !byProgram.has(key)) {
      byProgram.set(key, { command, version: answer.version.join(".") });
    }
  }
  return [...byProgram.values()];
}

/** The same for all names of an interpreter. An environment links to its base, but has its own packages. */
function identity(file: string): string {
  const folder = path.dirname(file);
  if (existsSync(path.join(folder, "..", "pyvenv.cfg"))) {
    return folder;
  }
  return existsSync(file) ? realpathSync(file) : file;
}
