// Save a line of the terminal: select it, right-click, Enter.
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";
import { until } from "../lib/sandbox.mjs";

const MEMORY = ".deepagents/agent.md";
const TEXT = "Round the heights to centimetres";

journey("terminal-remember", "remember a line of the terminal", PROJECT, async (here) => {
  const { vscode, page, sandbox, shot } = here;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await vscode.enter();
  await vscode.trust();
  await vscode.open(MEMORY);
  await vscode.tokens.waitFor();
  await vscode.command("Terminal: Create New Terminal");
  const rows = page.locator(".terminal-wrapper.active .xterm-screen");
  await rows.waitFor();
  // The screen is a canvas. A file tells when the line is printed.
  await page.keyboard.type(`clear; printf '%s\\n' '${TEXT}'; touch printed`);
  await page.keyboard.press("Enter");
  await until("the line is printed", () => sandbox.exists("printed"));
  await page.waitForTimeout(500);
  const box = await rows.boundingBox();
  const line = { x: box.x + 60, y: box.y + 8 };
  await page.mouse.click(line.x, line.y, { clickCount: 3 });
  await page.waitForTimeout(500); // until the editor knows of the selection
  await shot("1-selected");
  await page.mouse.click(line.x, line.y, { button: "right" });
  const item = page.locator(".monaco-menu .action-item", { hasText: "Remember Terminal Selection" });
  await item.waitFor();
  await shot("2-menu");
  await until("the menu closes", async () => {
    await page.waitForTimeout(150);
    await item.click({ timeout: 2_000 }).catch(() => {});
    return !(await item.isVisible());
  });
  await page.locator(".quick-input-title", { hasText: "Save to Project Memory" }).waitFor();
  await shot("3-question");
  await vscode.saveItem();
  await until("the item is on disk", () => sandbox.read(MEMORY).includes(`- ${TEXT}\n`));
  await vscode.notification("Added to Project Memory").waitFor();
  await shot("4-saved");
});
