// A third-party extension that uses the API, and calls the tools as a language model would.
const path = require("node:path");
const vscode = require("vscode");

exports.activate = async (context) => {
  const memory = await vscode.extensions.getExtension("agent-memory.agent-memory").activate();
  const seen = [];
  context.subscriptions.push(
    memory.onDidChange((change) => seen.push(change)),
    vscode.commands.registerCommand("companion.describe", async (options) => ({
      version: memory.version,
      prompt: await memory.getPrompt(options),
      seen,
      // The folder of all extension logs.
      logs: path.dirname(context.logUri.fsPath),
    })),
    vscode.commands.registerCommand("companion.remember", () =>
      call("agent_memory_remember", { text: "Never round a height twice." }),
    ),
    vscode.commands.registerCommand("companion.explain", () => call("agent_memory_explain", {})),
  );
};

/** Call a tool and show its answer. */
async function call(name, input) {
  const answer = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }).then(
    ({ content }) => content.map(({ value }) => value).join(""),
    (error) => `none (${error.message})`,
  );
  vscode.window.showInformationMessage(`answer: ${answer}`);
}
