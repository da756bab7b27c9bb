/** Finds the memory file of a scope among a runtime's sources. */
import type { Scope, Source } from "./protocol";

/** The file that is read, else one with a problem, else the first possible location. */
export function findMemoryFile(sources: readonly Source[], scope: Scope): Source | undefined {
  const candidates = sources.filter(
    (item) => item.scope === scope && (item.role === "memory" || item.role === "instructions"),
  );
  return (
    candidates.find((item) => item.order !== null) ??
    candidates.find((item) => item.status !== "missing" && item.status !== "ignored") ??
    candidates.find((item) => item.status === "missing")
  );
}
