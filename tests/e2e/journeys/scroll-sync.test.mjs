// The preview follows the cursor and the view of the editor, and the editor follows the preview.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";
import { until } from "../lib/sandbox.mjs";

const MEMORY = ".deepagents/agent.md";
const LINES = 300;
const items = Array.from({ length: LINES }, (_, n) => `- Gauge ${n + 3} is read hourly`);
const options = {
  ...PROJECT,
  workspace: { ...PROJECT.workspace, [MEMORY]: `# Gauges\n\n${items.join("\n")}\n` },
};

journey("scroll-sync", "editor and preview show the same lines", options, async (here) => {
  const { vscode, page, shot } = here;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await vscode.enter();
  await vscode.trust();
  await vscode.command("View: Close Primary Side Bar");
  await vscode.open(MEMORY, 150);
  await vscode.showPreview();
  const inView = (text) =>
    vscode.panel.locator(".line", { hasText: text }).first().evaluate((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return top >= 0 && bottom <= window.innerHeight;
    });
  const current = vscode.panel.locator('.line[aria-current="location"]');

  // A new panel shows the line of the cursor, and marks it.
  await until("the cursor's line is shown", () => inView("Gauge 150 "));
  assert.match(await current.textContent(), /Gauge 150 /);
  await shot("1-opened");

  // The cursor and the text typed there.
  await vscode.focusLine("Gauge 150 ");
  await vscode.goTo(40, 99);
  await until("the page follows the cursor", () => inView("Gauge 40 "));
  await vscode.type(", always");
  await until("the typed text is marked", async () => /Gauge 40 .*, always/.test(await current.textContent()));
  assert.ok(await inView("Gauge 40 "));
  await shot("2-typed");

  // The wheel over the editor scrolls the page.
  const firstInEditor = async () =>
    Math.min(
      ...(await page.locator(".editor-group-container .view-line").allTextContents())
        .map((text) => Number(/Gauge.(\d+)/.exec(text)?.[1] ?? Infinity)),
    );
  const wheel = async (x, reached) =>
    until("the wheel scrolls", async () => {
      await page.mouse.move(x, 500);
      await page.mouse.wheel(0, 300);
      return reached();
    });
  await wheel(300, async () => (await firstInEditor()) > 60);
  const editorTop = async () => `Gauge ${(await firstInEditor()) + 2} `;
  await until("the page follows the editor", async () => inView(await editorTop()));
  await shot("3-editor-scrolled");

  // The wheel over the page scrolls the editor.
  const before = await firstInEditor();
  await wheel(1_000, async () => (await firstInEditor()) > before + 20);
  await page.waitForTimeout(1_000);
  const settled = await firstInEditor();
  await page.waitForTimeout(1_000);
  assert.equal(await firstInEditor(), settled, "both stay where they are");
  await shot("4-page-scrolled");

  // The explained line is marked. The menu copies; the page cannot be edited, so it does not cut.
  const row = vscode.panel.locator(".line", { hasText: await editorTop() }).first();
  await row.click({ button: "right" });
  const menu = page.locator(".monaco-menu .action-item:not(.disabled) .action-label:not(.separator)");
  await menu.first().waitFor();
  const labels = await menu.allTextContents();
  await shot("5-menu");
  assert.deepEqual(labels, ["Why Is This Here?", "Go to Source", "Copy"]);
  await page.waitForTimeout(300);
  await menu.filter({ hasText: "Why Is This Here?" }).click();
  await vscode.panel.locator("#why").waitFor();
  assert.equal(await row.getAttribute("aria-current"), "location");
  await shot("6-explained");
  await page.keyboard.press("Escape");
  await row.click({ button: "right" });
  await menu.first().waitFor();
  await page.waitForTimeout(300);
  await menu.filter({ hasText: "Copy" }).click();
  const clipboard = () => page.evaluate(() => window.navigator.clipboard.readText());
  await until("the line is copied", async () => (await clipboard()) === (await row.textContent()));
});
