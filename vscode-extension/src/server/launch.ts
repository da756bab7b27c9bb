/** The command line that starts the server. */
import * as path from "node:path";

export type ImportStrategy = "useBundled" | "fromEnvironment";

export interface Launch {
  command: string;
  args: string[];
}

/**
 * How to run `agent-memory` with `command` as its Python.
 *
 * `-I` ignores the user's PYTHON* variables and per-user packages. With the bundled server `-S`
 * leaves out site-packages too, so that no package, `.pth` file or sitecustomize there can
 * break it; with the server of the environment they are what is asked for.
 */
export function launch(
  command: string,
  extensionPath: string,
  strategy: ImportStrategy,
  args: readonly string[] = ["serve"],
): Launch {
  const script = path.join(extensionPath, "bundled", "launch.py");
  const isolation = strategy === "useBundled" ? ["-I", "-S"] : ["-I"];
  return { command, args: [...isolation, "-X", "utf8", script, strategy, ...args] };
}
