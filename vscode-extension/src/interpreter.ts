/**
 * Finds a Python that can run the server.
 *
 * Order: the setting, the interpreter of the Python extension, then PATH. An unusable interpreter in
 * the setting is reported and not replaced silently.
 */
import { execFile } from "node:child_process";

export const MINIMUM: readonly [number, number] = [3, 11];

/** Timeout for the version check of one interpreter, in milliseconds. */
const PROBE_MS = 10_000;

const PROBE =
  "import sys, json; print(json.dumps([sys.executable, sys.version_info[0], sys.version_info[1], sys.version_info[2]]))";

export interface Interpreter {
  /** A command or the path of an executable. */
  command: string;
  version: readonly [number, number, number];
  /** The source of the command. */
  origin: "setting" | "python-extension" | "path";
}

export type Probe =
  | { ok: true; version: readonly [number, number, number]; executable?: string }
  | { ok: false; reason: string; isMissing?: boolean };

export interface Candidate {
  command: string;
  origin: Interpreter["origin"];
}

/** A candidate that cannot be used, and why. */
export interface Rejection {
  candidate: Candidate;
  reason: string;
  /** There is no such file or command. */
  isMissing: boolean;
}

/** No usable interpreter was found. */
export class NoInterpreterError extends Error {
  constructor(readonly tried: readonly Rejection[]) {
    super(tried.map(({ candidate, reason }) => `${candidate.command}: ${reason}`).join("; "));
    this.name = "NoInterpreterError";
  }
}

export interface InterpreterOptions {
  /** The setting `agentMemory.interpreter`; empty if it is not set. */
  setting: string;
  /** Returns the interpreter of the Python extension, which may start slowly; undefined without one. */
  pythonExtension: () => Promise<string | undefined>;
  platform: NodeJS.Platform;
}

/** The first usable interpreter. Throws {@link NoInterpreterError} if no interpreter is usable. */
export async function findInterpreter(
  options: InterpreterOptions,
  probe: (command: string) => Promise<Probe> = probePython,
): Promise<Interpreter> {
  const tried: Rejection[] = [];
  for await (const candidate of candidates(options)) {
    const answer = await probe(candidate.command);
    if (answer.ok && isRecent(answer.version)) {
      return { ...candidate, version: answer.version };
    }
    tried.push({
      candidate,
      reason: answer.ok ? `Python ${answer.version.join(".")} is too old` : answer.reason,
      isMissing: !answer.ok && answer.isMissing === true,
    });
  }
  throw new NoInterpreterError(tried);
}

async function* candidates(options: InterpreterOptions): AsyncGenerator<Candidate> {
  const setting = options.setting.trim();
  if (setting) {
    yield { command: setting, origin: "setting" };
    return;
  }
  const chosen = await options.pythonExtension();
  if (chosen) {
    yield { command: chosen, origin: "python-extension" };
  }
  const names = options.platform === "win32" ? ["python", "py", "python3"] : ["python3", "python"];
  for (const command of names) {
    yield { command, origin: "path" };
  }
}

export function isRecent(version: readonly [number, number, number]): boolean {
  const [major, minor] = version;
  return major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1]);
}

/** The version of `command`, determined without site-packages so that no package can break it. */
export function probePython(command: string): Promise<Probe> {
  return new Promise((resolve) => {
    execFile(
      command,
      ["-I", "-S", "-c", PROBE],
      { timeout: PROBE_MS, windowsHide: true },
      (error, stdout) => {
        resolve(error ? failure(error) : parse(stdout));
      },
    );
  });
}

function parse(stdout: string): Probe {
  try {
    const [executable, major, minor, micro] = JSON.parse(stdout.trim()) as [string, number, number, number];
    return { ok: true, version: [major, minor, micro], executable };
  } catch {
    return { ok: false, reason: "not a Python interpreter" };
  }
}

function failure(error: Error & { code?: string | number | null; killed?: boolean }): Probe {
  if (error.code === "ENOENT") {
    return { ok: false, reason: "not found", isMissing: true };
  }
  if (error.code === "EACCES") {
    return { ok: false, reason: "not an executable file" };
  }
  return { ok: false, reason: error.killed ? "no answer within 10 seconds" : "it does not start" };
}
