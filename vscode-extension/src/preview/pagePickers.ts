/** The drop-down lists of the page: workspace folder, runtime and agent. */
import { t } from "../l10n";
import type { ShownPrompt } from "./incrementalPrompt";
import type { Picker } from "./messages";

/** A workspace folder. */
export interface Folder {
  uri: string;
  name: string;
}

export interface Choice {
  runtime: string;
  agent: string;
}

/** The folder can be chosen if there are several. */
export function pagePickers(
  prompt: ShownPrompt,
  choice: Choice,
  folders: readonly Folder[],
  current: string | undefined,
): Picker[] {
  return [
    ...(folders.length > 1 ? [folderPicker(folders, current)] : []),
    runtimePicker(prompt, choice.runtime),
    agentPicker(prompt, choice.agent),
  ];
}

function folderPicker(folders: readonly Folder[], current: string | undefined): Picker {
  const choices = folders.map(({ uri, name }) => ({ value: uri, text: name }));
  return { key: "folder", label: t("Folder"), chosen: current ?? "", groups: [{ name: "", choices }] };
}

function runtimePicker(prompt: ShownPrompt, chosen: string): Picker {
  const auto = { value: "auto", text: automatic(chosen, prompt.title) };
  const choices = (listed: boolean) =>
    prompt.runtimes.filter((item) => item.listed === listed).map(({ id, title }) => ({ value: id, text: title }));
  const groups = [
    { name: "", choices: [auto] },
    { name: t("Found"), choices: choices(true) },
    { name: t("Other"), choices: choices(false) },
  ];
  return { key: "runtime", label: t("Runtime"), chosen, groups: groups.filter((item) => item.choices.length > 0) };
}

function agentPicker(prompt: ShownPrompt, chosen: string): Picker {
  const auto = { value: "auto", text: automatic(chosen, prompt.agent) };
  const choices = prompt.agents.map((name) => ({ value: name, text: name }));
  return { key: "agent", label: t("Agent"), chosen, groups: [{ name: "", choices: [auto, ...choices] }] };
}

function automatic(chosen: string, found: string): string {
  return chosen === "auto" ? t("automatic: {0}", found) : t("automatic");
}
