// What the extension costs those who have memory, and those who have none.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { servers } from "../lib/processes.mjs";
import { PROJECT } from "../lib/project.mjs";

/** Milliseconds of the extension host, from loading our code until `activate` has returned. */
const MOST = 100;
const STARTS = 3;
const tall = { viewport: { width: 1200, height: 2400 } };

journey("activation", "activation is cheap, cold", { ...PROJECT, ...tall }, async (here) => {
  const { vscode, page, shot, tell } = here;
  const times = [];
  for (let start = 1; start <= STARTS; start += 1) {
    // Each time the workbench is opened it gets an extension host of its own.
    await vscode.enter();
    if (start === 1) {
      await vscode.trust();
    }
    await page.locator(".statusbar-item", { hasText: "tokens" }).first().waitFor();
    times.push(await activationTime(vscode));
    await shot(String(start));
  }
  tell(`activation, cold: ${times.join(", ")} ms`);
  // The best of some: a busy machine only makes it longer.
  assert.ok(Math.min(...times) < MOST, `${times} ms`);
});

const plain = { workspace: { "README.md": "# No memory\n", "src/main.py": "print()\n" }, ...tall };

journey("no-memory", "a folder without memory does not wake it up", plain, async (here) => {
  const { vscode, page, world, shot } = here;
  await vscode.enter();
  await vscode.trust();
  await vscode.open("README.md");
  await vscode.open("src/main.py");
  // `workspaceContains` is looked for when the workbench is drawn, within some seconds.
  await page.waitForTimeout(5_000);
  await vscode.command("Developer: Show Running Extensions");
  await running(vscode).first().waitFor();
  await shot("1-running");
  const names = await running(vscode).allTextContents();
  assert.deepEqual(names.filter((name) => name.includes("Agent Memory")), []);
  assert.deepEqual(servers(world), []);
  const item = page.locator(".statusbar-item", { hasText: "memory" });
  assert.equal(await item.count(), 0);
});

/** The rows of the list of running extensions. */
function running(vscode) {
  return vscode.page.locator(".runtime-extensions-editor .monaco-list-row");
}

async function activationTime(vscode) {
  await vscode.command("Developer: Show Running Extensions");
  const row = running(vscode).filter({ hasText: "Agent Memory" });
  const text = await row.locator(".activation-time").textContent();
  return Number(/(\d+)\s*ms/.exec(text)[1]);
}
