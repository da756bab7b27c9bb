// A workspace of two folders: one node per folder, and the preview names and switches the folder.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";
import { until } from "../lib/sandbox.mjs";

const WORKSPACE = "harbor.code-workspace";
const options = {
  ...PROJECT,
  workspace: {
    "tides/.deepagents/agent.md": "# Tides\n\n- Heights are metres\n",
    "tides/.git/HEAD": "ref: refs/heads/main\n",
    "piers/.deepagents/agent.md": "# Piers\n\n- Piers are numbered from the west\n",
    "piers/.git/HEAD": "ref: refs/heads/main\n",
    [WORKSPACE]: JSON.stringify({ folders: [{ path: "tides" }, { path: "piers" }] }),
  },
};

journey("multi-root", "each folder of a workspace has its sources", options, async (here) => {
  const { vscode, page, sandbox, shot } = here;
  await vscode.enterWorkspace(sandbox.at(WORKSPACE));
  await vscode.trust();
  await vscode.open("tides/.deepagents/agent.md");
  await vscode.command("Agent Memory: Focus on Sources View");
  const rows = page.locator(".sidebar .pane", { hasText: "Loaded at startup" }).locator(".monaco-list-row");
  await until("both folders", async () => (await rows.filter({ hasText: "tok · .deepagents" }).count()) === 2);
  await shot("1-sources");
  const labels = await rows.evaluateAll((items) => items.map((item) => item.getAttribute("aria-label")));
  const folders = labels.filter((label) => /^(tides|piers), deepagentsdk · agent/.test(label));
  assert.equal(folders.length, 2, labels.join("\n"));
  const userRows = rows.filter({ hasText: "~/.deepagents/a" });
  await until("user memory is read in both", async () => (await userRows.count()) === 2);

  // A change in the other folder is shown, too.
  const piers = labels.findIndex((label) => label.startsWith("piers,"));
  sandbox.write("piers/.deepagents/agent.md", `# Piers\n\n${"- Piers are numbered\n".repeat(50)}`);
  const size = async () => (await rows.nth(piers + 3).textContent()) ?? "";
  await until("the new size", async () => /[23]\d\d tok/.test(await size()), 20_000);
  await vscode.click(rows.nth(piers + 3), vscode.line("Piers are numbered"));

  // The preview names its folder, and a list switches to the other one.
  await vscode.command("View: Close Primary Side Bar");
  await vscode.showPreview();
  const tab = (name) => page.locator(".tab", { hasText: `Prompt: ${name}` });
  await tab("piers").waitFor();
  await shot("2-piers");
  await vscode.panel.locator('[data-picker="folder"]').selectOption({ label: "tides" });
  await vscode.panel.locator(".line", { hasText: "Heights are metres" }).waitFor();
  await tab("tides").waitFor();
  await shot("3-tides");
});
