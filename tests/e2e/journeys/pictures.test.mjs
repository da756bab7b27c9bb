// The README images: the example workspace as shown by `make editor`. Check them in
// .cache/shots/pictures, then copy them to docs/images.
import { journey } from "../lib/journey.mjs";
import { example } from "../lib/project.mjs";
import { generateToken } from "../lib/secrets.mjs";

const options = example();
const memory = ".deepagents/agent.md";
options.workspace[memory] = options.workspace[memory].replace(
  "## Deployment\n",
  `## Deployment\n\n- The gauge's account: token ${generateToken()}\n`,
);
options.home[".deepagents/agent/agent.md"] = "# How I work\n\n- Short answers\n";
options.viewport = { width: 1280, height: 860 };
options.settings = {
  "workbench.colorTheme": "Dark Modern",
  "workbench.activityBar.location": "hidden",
  "breadcrumbs.enabled": false,
  "editor.lineNumbers": "on",
  "editor.wordWrap": "on",
};

journey("pictures", "the README images", options, async (here) => {
  const { vscode, page, shot } = here;
  await vscode.enter();
  await vscode.trust();
  await vscode.open("src/tides.py");
  await vscode.selectLines(27);
  await vscode.contextMenu("The gauge is read", ["Remember This", "In Project Memory"], () =>
    shot("remember"),
  );
  await vscode.saveItem();
  await vscode.notification("Added to Project Memory").waitFor();
  await vscode.command("Notifications: Clear All Notifications");
  await vscode.command("View: Close All Editors");

  await vscode.command("View: Close Primary Side Bar");
  await vscode.open(memory);
  await vscode.squiggle("error").waitFor();
  await vscode.showPreview();
  await vscode.panel.getByText("The gauge is read at the full hour").waitFor();
  await page.mouse.move(640, 845);
  await page.waitForTimeout(500);
  await shot("preview");
});
