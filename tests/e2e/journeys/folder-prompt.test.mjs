// The Explorer's menu of a folder shows the prompt of an agent that starts there.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";

const options = {
  workspace: {
    "AGENTS.md": "# Tide tables\n\n- Times are UTC inside\n",
    "src/AGENTS.md": "# Code\n\n- Heights are metres above chart datum\n",
    "src/tides.py": "DATUM = 'chart'\n",
  },
  settings: { "agentMemory.runtime": "codex" },
};

journey("folder-prompt", "the prompt of a folder from the Explorer", options, async (here) => {
  const { vscode, page, shot } = here;
  await vscode.enter();
  await vscode.trust();
  await vscode.open("AGENTS.md");
  await vscode.showPreview();
  await vscode.panel.getByText("Times are UTC").waitFor();
  assert.equal((await vscode.panelText()).includes("Heights are metres"), false);

  const folder = page.locator(".explorer-viewlet .monaco-list-row", { hasText: /^src$/ });
  await vscode.contextMenuOf(folder, ["Preview Prompt for This Folder"], async () => {
    await page.waitForTimeout(300); // the menu fades in
    await shot("1-menu");
  });
  await vscode.panel.getByText("Heights are metres").waitFor();
  await vscode.panel.getByText("Times are UTC").waitFor();
  await shot("2-prompt-of-the-folder");
});
