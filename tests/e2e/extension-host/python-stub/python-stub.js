// The used part of the Python extension's API: the selected environment and its change event.
const vscode = require("vscode");

exports.activate = (context) => {
  const changes = new vscode.EventEmitter();
  let path = "";
  context.subscriptions.push(
    vscode.commands.registerCommand("python.choose", (chosen) => {
      path = chosen;
      changes.fire({ path });
    }),
  );
  return {
    ready: Promise.resolve(),
    environments: {
      getActiveEnvironmentPath: () => ({ path }),
      resolveEnvironment: async () => {
        if (path === "fails") {
          throw new Error("the environments cannot be listed");
        }
        return path ? { executable: { uri: vscode.Uri.file(path) } } : undefined;
      },
      onDidChangeActiveEnvironmentPath: changes.event,
    },
  };
};
