// What an extension by somebody else does with the API.
const path = require("node:path");
const vscode = require("vscode");

exports.activate = async (context) => {
  const memory = await vscode.extensions.getExtension("agent-memory.agent-memory").activate();
  const seen = [];
  context.subscriptions.push(
    memory.onDidChange((change) => seen.push(change)),
    vscode.commands.registerCommand("companion.describe", async (place) => ({
      version: memory.version,
      prompt: await memory.getPrompt(place),
      seen,
      // Where every extension keeps its log.
      logs: path.dirname(context.logUri.fsPath),
    })),
  );
};
