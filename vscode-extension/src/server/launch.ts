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
 * `-I` ignores the user's PYTHON* variables and per-user packages. For the bundled server `-S` also
 * excludes site-packages, so that no package, `.pth` file or sitecustomize there can break it.
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
