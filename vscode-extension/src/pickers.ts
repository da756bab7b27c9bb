/** Quick picks for the runtime and the agent; the choice is stored as a setting. */
import * as vscode from "vscode";
import { pickerTarget, SECTION } from "./configuration";
import { t } from "./l10n";
import { currentContext } from "./requestContext";
import type { OwnSources } from "./protocol";
import { sourcesRequest } from "./protocol";
import type { LanguageServer } from "./server/server";

interface Choice extends vscode.QuickPickItem {
  value: string;
}

export async function pickRuntime(server: LanguageServer): Promise<void> {
  const known = await server.request(sourcesRequest, currentContext());
  if (known) {
    await pick("runtime", t("Select a runtime"), runtimeChoices(known));
  }
}

export async function pickAgent(server: LanguageServer): Promise<void> {
  const known = await server.request(sourcesRequest, currentContext());
  if (known) {
    await pick("agent", t("Select an agent"), agentChoices(known));
  }
}

function runtimeChoices(known: OwnSources): Choice[] {
  const auto = {
    label: t("Automatic"),
    description: `${known.title}: ${known.runtimeReason}`,
    value: "auto",
  };
  return [
    auto,
    ...known.runtimes.map(({ id, title }) => ({ label: title, description: id, value: id })),
  ];
}

function agentChoices(known: OwnSources): Choice[] {
  const auto = {
    label: t("Automatic"),
    description: `${known.agent}: ${known.agentReason}`,
    value: "auto",
  };
  return [auto, ...known.agents.map((name) => ({ label: name, value: name }))];
}

async function pick(key: string, placeHolder: string, choices: Choice[]): Promise<void> {
  const { uri } = currentContext();
  const configuration = vscode.workspace.getConfiguration(SECTION, uri ? vscode.Uri.parse(uri) : null);
  const current = configuration.get<string>(key);
  const items = choices.map((item) =>
    item.value === current ? { ...item, label: `$(check) ${item.label}` } : item,
  );
  const choice = await vscode.window.showQuickPick(items, {
    placeHolder,
    matchOnDescription: true,
  });
  if (choice) {
    await configuration.update(key, choice.value, pickerTarget());
  }
}
