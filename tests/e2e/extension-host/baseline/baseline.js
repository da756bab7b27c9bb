// A minimal panel as a baseline: it reports that it is ready and shows the line it receives, initially
// and after each document change. The status bar item shows when it was opened.
const vscode = require("vscode");

const PAGE = `<!DOCTYPE html>
<html lang="en">
<head>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-baseline'">
<title>Baseline</title>
</head>
<body>
<script nonce="baseline">
  const api = acquireVsCodeApi();
  const line = document.createElement("p");
  line.className = "line";
  window.addEventListener("message", ({ data }) => {
    line.textContent = data.text;
    document.body.append(line);
    document.body.dataset.hash = "baseline";
  });
  api.postMessage("ready");
</script>
</body>
</html>`;

/** Close the panels whose type contains `type`. */
function close(type) {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const isPanel = ({ input }) => input instanceof vscode.TabInputWebview && input.viewType.includes(type);
  return vscode.window.tabGroups.close(tabs.filter(isPanel));
}

exports.activate = (context) => {
  const started = vscode.window.createStatusBarItem("baseline.started");
  const start = () => {
    started.text = `baseline ${Date.now()}`;
    started.show();
  };
  const open = (viewColumn) => {
    start();
    const panel = vscode.window.createWebviewPanel(
      "baseline",
      "Baseline",
      { viewColumn, preserveFocus: true },
      { enableScripts: true },
    );
    const send = (text) => panel.webview.postMessage({ type: "baseline", text });
    panel.webview.onDidReceiveMessage(() => send("ready"));
    panel.webview.html = PAGE;
    const follow = vscode.workspace.onDidChangeTextDocument(({ contentChanges: [change] }) => {
      if (change) {
        send(change.text);
      }
    });
    panel.onDidDispose(() => follow.dispose());
  };
  const command = (name, action) => vscode.commands.registerCommand(`baseline.${name}`, action);
  context.subscriptions.push(
    started,
    command("empty", () => open(vscode.ViewColumn.Beside)),
    command("over", () => open(vscode.ViewColumn.Two)),
    command("beside", () => open(vscode.ViewColumn.Three)),
    command("preview", () => {
      start();
      return vscode.commands.executeCommand("agentMemory.previewPrompt");
    }),
    command("close", () => close("")),
    command("less", () => close("baseline")),
  );
};
