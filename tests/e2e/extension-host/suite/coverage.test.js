// Lists the commands, settings, views, welcome links and providers that no passing test uses; the
// journey fails if one is in the list of every part. The expected names come from the manifest, the
// editor and the server's answer to `initialize`.
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");
const { EXTENSION, MANIFEST, SCOPES, SETTINGS, compare } = require("./usage");
const { run, set, tidyUp, traces, until } = require("./support");

/** Commands that the editor creates for each view. */
const VIEW_COMMANDS = /\.(open|focus|resetViewLocation|removeView|toggleVisibility)$/;
/** Tested elsewhere: commands above, restored panels in journeys/restored. */
const ELSEWHERE = new Set(["registerCommand", "registerWebviewPanelSerializer"]);
const VIEWS = Object.values(MANIFEST.views).flat();

describe("what the suite uses is compared with", () => {
  it("every command, the manifest's and the server's", async () => {
    const ours = (await vscode.commands.getCommands(true)).filter(
      (name) =>
        name.startsWith("agentMemory.") &&
        !VIEWS.some(({ id }) => name.startsWith(id) && VIEW_COMMANDS.test(name)),
    );
    assert.ok(MANIFEST.commands.every(({ command }) => ours.includes(command)));
    compare("command", ours);
  });

  it("every setting of a folder", () => {
    // Those of the machine cannot be set in a folder; tests/lsp sets them.
    compare("setting", SETTINGS.filter((name) => SCOPES[name] !== "machine"));
  });

  it("every view", () => {
    compare("view", VIEWS.map(({ id }) => id));
  });

  it("every welcome link of a window with a folder", () => {
    const links = MANIFEST.viewsWelcome
      .filter(({ when }) => !when.includes("workbenchState == empty"))
      .flatMap(({ view, contents }) =>
        [...contents.matchAll(/\[([^\]]+)\]\(/g)].map(([, label]) => `${view}: ${label}`),
      );
    assert.ok(links.length > 0);
    compare("link", links);
  });

  it("every provider of the server", async () => {
    const { capabilities } = await initializeResult();
    const named = Object.entries(capabilities).flatMap(([name, value]) => commandsOf(name, value));
    assert.ok(named.length > 10, named.join(", "));
    compare("command", named);
    const { fileOperations = {}, textDocumentContent } = capabilities.workspace;
    const others = [
      ...Object.keys(fileOperations).map((name) => `fileOperations.${name}`),
      ...(textDocumentContent ? ["textDocumentContent"] : []),
      ...(capabilities.diagnosticProvider ? ["diagnosticProvider"] : []),
    ];
    compare("provider", others);
  });

  it("every provider of the extension", () => {
    const code = fs.readFileSync(path.join(EXTENSION.extensionPath, "dist", "extension.js"), "utf8");
    const called = [...code.matchAll(/\.((?:register|create)[A-Z]\w+)\(/g)].map(([, name]) => name);
    const made = [...new Set(called)].filter((name) => !ELSEWHERE.has(name) && isOfEditor(name));
    assert.ok(made.length > 5, made.join(", "));
    compare("provider", made);
  });
});

function isOfEditor(name) {
  return ["commands", "languages", "lm", "window", "workspace"].some((part) => name in vscode[part]);
}

/** The server's answer to `initialize`, from the trace. */
async function initializeResult() {
  await set("trace.server", "verbose");
  await run("restartServer");
  const answer = /Received response 'initialize[^]*?\nResult: (\{[^]*?\n\})/;
  const [, text] = await until("the trace", () => answer.exec(traces()));
  await tidyUp();
  return JSON.parse(text);
}

/** The editor's commands for a provider; most are named like the capability. */
function commandsOf(name, value) {
  const special = {
    completionProvider: ["vscode.executeCompletionItemProvider"],
    documentLinkProvider: ["vscode.executeLinkProvider"],
    referencesProvider: ["vscode.executeReferenceProvider"],
    renameProvider: ["vscode.executeDocumentRenameProvider", "vscode.prepareRename"],
    executeCommandProvider: value.commands,
    diagnosticProvider: [], // read by vscode.languages.getDiagnostics
  };
  const [, plain] = /^(\w+)Provider$/.exec(name) ?? [];
  return special[name] ?? (plain ? [`vscode.execute${plain[0].toUpperCase()}${plain.slice(1)}Provider`] : []);
}
