// Every command, setting, view, welcome link and provider is exercised by a test that passed. What
// there is comes from the manifest, the editor and the server's own answer to `initialize`.
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");
const { EXTENSION, MANIFEST, SETTINGS, missing } = require("./record");
const { run, set, tidyUp, traces, until } = require("./support");

/** What the editor makes by itself for each view. */
const MADE_FOR_VIEWS = /\.(open|focus|resetViewLocation|removeView|toggleVisibility)$/;
/** Commands have a test of their own; a panel is restored in another window: journeys/restored. */
const ELSEWHERE = new Set(["registerCommand", "registerWebviewPanelSerializer"]);
const VIEWS = Object.values(MANIFEST.views).flat();

describe("nothing is left untested:", () => {
  it("every command, the manifest's and the server's", async () => {
    const ours = (await vscode.commands.getCommands(true)).filter(
      (name) =>
        name.startsWith("agentMemory.") &&
        !VIEWS.some(({ id }) => name.startsWith(id) && MADE_FOR_VIEWS.test(name)),
    );
    assert.ok(MANIFEST.commands.every(({ command }) => ours.includes(command)));
    assert.deepEqual(missing("command", ours), []);
  });

  it("every setting", () => {
    assert.deepEqual(missing("setting", SETTINGS), []);
  });

  it("every view", () => {
    assert.deepEqual(missing("view", VIEWS.map(({ id }) => id)), []);
  });

  it("every link of a welcome view that a window with a folder can show", () => {
    const links = MANIFEST.viewsWelcome
      .filter(({ when }) => !when.includes("workbenchState == empty"))
      .flatMap(({ view, contents }) =>
        [...contents.matchAll(/\[([^\]]+)\]\(/g)].map(([, label]) => `${view}: ${label}`),
      );
    assert.ok(links.length > 0);
    assert.deepEqual(missing("link", links), []);
  });

  it("every provider of the server", async () => {
    const { capabilities } = await initializeResult();
    const named = Object.entries(capabilities).flatMap(([name, value]) => commandsOf(name, value));
    assert.ok(named.length > 10, named.join(", "));
    assert.deepEqual(missing("command", named), []);
    const { fileOperations = {}, textDocumentContent } = capabilities.workspace;
    const others = [
      ...Object.keys(fileOperations).map((name) => `fileOperations.${name}`),
      ...(textDocumentContent ? ["textDocumentContent"] : []),
      ...(capabilities.diagnosticProvider ? ["diagnosticProvider"] : []),
    ];
    assert.deepEqual(missing("provider", others), []);
  });

  it("every provider of the extension", () => {
    const code = fs.readFileSync(path.join(EXTENSION.extensionPath, "dist", "extension.js"), "utf8");
    const called = [...code.matchAll(/\.((?:register|create)[A-Z]\w+)\(/g)].map(([, name]) => name);
    const made = [...new Set(called)].filter((name) => !ELSEWHERE.has(name) && isOfEditor(name));
    assert.ok(made.length > 5, made.join(", "));
    assert.deepEqual(missing("provider", made), []);
  });
});

function isOfEditor(name) {
  return ["commands", "languages", "lm", "window", "workspace"].some((part) => name in vscode[part]);
}

/** What the server answered to `initialize`, as the trace has it. */
async function initializeResult() {
  await set("trace.server", "verbose");
  await run("restartServer");
  const answer = /Received response 'initialize[^]*?\nResult: (\{[^]*?\n\})/;
  const [, text] = await until("the trace", () => answer.exec(traces()));
  await tidyUp();
  return JSON.parse(text);
}

/** The editor's commands that ask a provider: most are called like the capability. */
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
