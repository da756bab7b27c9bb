// The terminal of the editor: print a line, and save it with "Remember Terminal Selection".
import { until } from "./sandbox.mjs";

/**
 * Print `text` as the first line of a new terminal, select it and choose "Remember Terminal
 * Selection" in its menu. `shot`, if given, takes pictures of the selection and of the menu.
 */
export async function rememberInTerminal({ vscode, page, sandbox }, text, shot = async () => {}) {
  await vscode.command("Terminal: Create New Terminal");
  const screen = page.locator(".terminal-wrapper.active .xterm-screen");
  await screen.waitFor();
  // The screen is a canvas. A file tells when the line is printed.
  await page.keyboard.type(`PS1='$ '; clear; printf '%s\\n' '${text}'; touch printed`);
  await page.keyboard.press("Enter");
  await until("the line is printed", () => sandbox.exists("printed"));
  await page.waitForTimeout(500);
  const { x, y } = await screen.boundingBox();
  const line = { x: x + 60, y: y + 8 };
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
}
