/** How a person makes an approximate template exact. `tools/runtime_docs.py` writes the sets. */
import { t } from "../l10n";

/** Runtimes whose template is a literal in an installed Python package. */
const IN_PYTHON = new Set(["deepagents-code", "deepagents-cli", "deepagents", "claude-mpm"]);
/** Plans without a published program: only a template of the user's own is exact. */
const WITHOUT_PROGRAM = new Set(["deepagentsdk", "drover"]);

/** Agents that `agentMemory/verify` can start. */
const STARTABLE = new Set(["claude-code", "codex", "gemini-cli", "opencode", "copilot-cli"]);

/** Whether the agent of a prompt can be started to compare what it sends: it is installed. */
export function canVerify({ runtime, version }: { runtime: string; version: string }): boolean {
  return version !== "" && STARTABLE.has(runtime);
}

/** The setting that makes the template of `runtime` exact; "" if it has no such setting. */
export function exactSetting(runtime: string): string {
  if (IN_PYTHON.has(runtime)) {
    return "templateInterpreter";
  }
  if (WITHOUT_PROGRAM.has(runtime)) {
    return runtime === "deepagentsdk" ? "memoryTemplate" : "";
  }
  return `agents.${runtime}.path`;
}

/** The label of the button that opens the setting; "" if `runtime` has no such setting. */
export function exactAction(runtime: string): string {
  const setting = exactSetting(runtime);
  if (setting === "") {
    return "";
  }
  if (setting === "memoryTemplate") {
    return t("Set Its Template");
  }
  return setting === "templateInterpreter" ? t("Choose Its Python") : t("Choose Its Program");
}
