// VS Code speaks German: commands, views, messages, the panel and what the server says do too.
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";

const options = {
  ...PROJECT,
  language: {
    id: "de",
    texts: {
      "vs/workbench/browser/parts/editor/editorStatus": { singleSelection: "Zeile {0}, Spalte {1}" },
    },
  },
};

journey("german", "all of it in German", options, async (here) => {
  const { vscode, page, shot } = here;
  await vscode.enter();
  await vscode.trust();
  await vscode.open(".deepagents/agent.md");
  await page.waitForTimeout(4000);
  await shot("1");
  await vscode.command("Agent Memory: Prompt ansehen");
  await vscode.panel.locator(".line").first().waitFor();
  await shot("2");
});
