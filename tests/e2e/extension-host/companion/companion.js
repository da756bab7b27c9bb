// A third-party extension that uses the API.
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
  );
};
