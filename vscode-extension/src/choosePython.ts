/** "Choose Python": lets the user select one of the interpreters that were found. */
import * as os from "node:os";
import * as vscode from "vscode";
import { interpreterSetting, openMachineSetting, SECTION } from "./configuration";
import { isRecent, probePython } from "./interpreter";
import { t } from "./l10n";
import { shortener } from "./preview/paths";
import { knownInterpreters } from "./pythonExtension";
import type { FoundPython } from "./pythonCandidates";
import { pythonCandidates, usablePythons } from "./pythonCandidates";

type Choice = vscode.QuickPickItem & { run?: () => unknown };

export async function choosePython(): Promise<void> {
  const pick = vscode.window.createQuickPick<Choice>();
  pick.title = t("Choose Python");
  pick.placeholder = t("Python 3.11 or newer that runs the server");
  pick.matchOnDescription = true;
  pick.busy = true;
  pick.items = actions();
  pick.onDidAccept(async () => {
    const [choice] = pick.selectedItems;
    pick.hide();
    await choice?.run?.();
  });
  pick.onDidHide(() => {
    pick.dispose();
  });
  pick.show();
  const found = await findPythons();
  pick.items = [...found.map(row), ...actions()];
  pick.busy = false;
}

/** A workspace that is not trusted must not decide which program runs. */
async function findPythons(): Promise<FoundPython[]> {
  const { isTrusted, workspaceFolders = [] } = vscode.workspace;
  const folders = isTrusted ? workspaceFolders.map(({ uri }) => uri.fsPath) : [];
  const known = isTrusted ? knownInterpreters() : [];
  return usablePythons(pythonCandidates(process.env.PATH ?? "", folders, known, process.platform));
}

function row({ command, version }: FoundPython): Choice {
  const folders = vscode.workspace.workspaceFolders?.map((item) => item.uri.fsPath) ?? [];
  const isCurrent = command === interpreterSetting().trim();
  return {
    label: `${isCurrent ? "$(check) " : ""}Python ${version}`,
    description: shortener(folders, os.homedir())(command),
    run: () => store(command),
  };
}

function actions(): Choice[] {
  return [
    { label: "", kind: vscode.QuickPickItemKind.Separator },
    {
      label: `${interpreterSetting().trim() === "" ? "$(check) " : ""}${t("Automatic")}`,
      description: t("the interpreter of the Python extension, else the one on PATH"),
      run: () => store(undefined),
    },
    { label: t("Enter a Path…"), run: enterPath },
    { label: t("Open Setting"), run: () => openMachineSetting("interpreter") },
  ];
}

async function enterPath(): Promise<void> {
  const command = await vscode.window.showInputBox({
    title: t("Choose Python"),
    prompt: t("Path of the interpreter"),
    value: interpreterSetting(),
    validateInput: async (value) => (value.trim() === "" ? undefined : problemOf(value.trim())),
  });
  if (command !== undefined) {
    await store(command.trim() === "" ? undefined : command.trim());
  }
}

async function problemOf(command: string): Promise<string | undefined> {
  const probe = await probePython(command);
  if (!probe.ok) {
    return t("Cannot run {0}: {1}", command, probe.reason);
  }
  return isRecent(probe.version) ? undefined : t("Python {0} is too old. Agent Memory needs 3.11+.", probe.version.join("."));
}

/** In the user's settings: the setting is one of the machine. */
async function store(command: string | undefined): Promise<void> {
  await vscode.workspace.getConfiguration(SECTION).update("interpreter", command, vscode.ConfigurationTarget.Global);
}
