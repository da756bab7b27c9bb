// A folder without memory: nothing is activated, and no server is started.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { servers } from "../lib/processes.mjs";
import { running, TALL } from "../lib/running-extensions.mjs";

const plain = { workspace: { "README.md": "# No memory\n", "src/main.py": "print()\n" }, viewport: TALL };

journey("no-memory", "a folder without memory starts no server", plain, async (here) => {
  const { vscode, page, sandbox, shot } = here;
  await vscode.enter();
  await vscode.trust();
  await vscode.open("src/main.py");
  // `workspaceContains` is evaluated some seconds after the workbench is shown.
  await page.waitForTimeout(8_000);
  await vscode.command("Developer: Show Running Extensions");
  await running(vscode).first().waitFor();
  await shot("1-running");
  const names = await running(vscode).allTextContents();
  assert.deepEqual(names.filter((name) => name.includes("Agent Memory")), []);
  // A Markdown file could be memory: it loads the extension, and nothing else.
  await page.keyboard.press("Escape"); // the list is a modal editor
  await running(vscode).first().waitFor({ state: "hidden" });
  await vscode.open("README.md");
  await vscode.command("Developer: Show Running Extensions");
  await running(vscode).filter({ hasText: "Agent Memory" }).waitFor();
  await page.waitForTimeout(2_000);
  assert.deepEqual(servers(sandbox), []);
  const item = page.locator(".statusbar-item", { hasText: "memory" });
  assert.equal(await item.count(), 0);
});
