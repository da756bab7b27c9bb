/**
 * Finding a Python that can run the server.
 *
 * Order: the user's own setting, the interpreter of the Python extension, then what is on PATH.
 * A set but unusable interpreter is reported and not replaced silently: whoever names one means it.
 */
import { execFile } from "node:child_process";

export const MINIMUM: readonly [number, number] = [3, 11];

/** How long one interpreter may take to say its version, in milliseconds. */
const PROBE_MS = 10_000;

const PROBE =
  "import sys, json; print(json.dumps([sys.executable, sys.version_info[0], sys.version_info[1], sys.version_info[2]]))";

export interface Interpreter {
  /** A command or the path of an executable. */
  command: string;
  version: readonly [number, number, number];
  /** Who named it. */
  origin: "setting" | "python-extension" | "path";
}

export type Probe =
  | { ok: true; version: readonly [number, number, number] }
  | { ok: false; reason: string };

export interface Candidate {
  command: string;
  origin: Interpreter["origin"];
}

/** Nothing usable was found: what was tried, each with what was wrong. */
export class NoInterpreterError extends Error {
  constructor(readonly tried: readonly { candidate: Candidate; reason: string }[]) {
    super(tried.map(({ candidate, reason }) => `${candidate.command}: ${reason}`).join("; "));
    this.name = "NoInterpreterError";
  }
}

export interface Wishes {
  /** The setting `agentMemory.interpreter`; empty where it is not set. */
  setting: string;
  /** Asks the Python extension, which may take a while to start; undefined where it has none. */
  pythonExtension: () => Promise<string | undefined>;
  platform: NodeJS.Platform;
}

/** The first usable interpreter; throws {@link NoInterpreterError} where there is none. */
export async function findInterpreter(
  wishes: Wishes,
  probe: (command: string) => Promise<Probe> = probePython,
): Promise<Interpreter> {
  const tried: { candidate: Candidate; reason: string }[] = [];
  for await (const candidate of candidates(wishes)) {
    const answer = await probe(candidate.command);
    if (answer.ok && isRecent(answer.version)) {
      return { ...candidate, version: answer.version };
    }
    tried.push({
      candidate,
      reason: answer.ok ? `Python ${answer.version.join(".")} is too old` : answer.reason,
    });
  }
  throw new NoInterpreterError(tried);
}

async function* candidates(wishes: Wishes): AsyncGenerator<Candidate> {
  const setting = wishes.setting.trim();
  if (setting) {
    yield { command: setting, origin: "setting" };
    return;
  }
  const chosen = await wishes.pythonExtension();
  if (chosen) {
    yield { command: chosen, origin: "python-extension" };
  }
  const names = wishes.platform === "win32" ? ["python", "py", "python3"] : ["python3", "python"];
  for (const command of names) {
    yield { command, origin: "path" };
  }
}

export function isRecent(version: readonly [number, number, number]): boolean {
  const [major, minor] = version;
  return major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1]);
}

/** Ask `command` for its version, without its site-packages, so that nothing installed can break it. */
export function probePython(command: string): Promise<Probe> {
  return new Promise((resolve) => {
    execFile(
      command,
      ["-I", "-S", "-c", PROBE],
      { timeout: PROBE_MS, windowsHide: true },
      (error, stdout) => {
        resolve(error ? { ok: false, reason: failure(error) } : parse(stdout));
      },
    );
  });
}

function parse(stdout: string): Probe {
  try {
    const [, major, minor, micro] = JSON.parse(stdout.trim()) as [string, number, number, number];
    return { ok: true, version: [major, minor, micro] };
  } catch {
    return { ok: false, reason: "it does not answer like a Python interpreter" };
  }
}

function failure(error: Error & { code?: string | number | null; killed?: boolean }): string {
  if (error.code === "ENOENT") {
    return "not found";
  }
  if (error.code === "EACCES") {
    return "not an executable file";
  }
  return error.killed ? "it did not answer within 10 seconds" : "it does not run";
}
