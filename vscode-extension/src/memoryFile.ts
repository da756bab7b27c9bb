/** Which of a runtime's sources is the memory file of a scope. */
import type { Scope, Source } from "./protocol";

/** The file that is read, else one that has a problem, else the first place it could stand. */
export function memoryFile(sources: readonly Source[], scope: Scope): Source | undefined {
  const fitting = sources.filter(
    (item) => item.scope === scope && (item.role === "memory" || item.role === "instructions"),
  );
  return (
    fitting.find((item) => item.order !== null) ??
    fitting.find((item) => item.status !== "missing" && item.status !== "ignored") ??
    fitting.find((item) => item.status === "missing")
  );
}
