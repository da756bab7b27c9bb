// Accessibility of the panel: axe finds no violations in light, dark and high contrast themes.
import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";

/** A second file that is read on start, and one that is not: all parts of the page are shown. */
const options = { ...PROJECT, workspace: { ...PROJECT.workspace, "agent.md": "# At the root\n\n- Unread\n" } };

const AXE = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const THEMES = {
  "Light Modern": "vscode-light",
  "Dark Modern": "vscode-dark",
  "Dark High Contrast": "vscode-high-contrast",
  "Light High Contrast": "vscode-high-contrast-light",
};

journey("accessible", "the panel is accessible in every theme", options, async (here) => {
  const { vscode, page, shot } = here;
  await vscode.enter();
  await vscode.trust();
  await vscode.open(".deepagents/agent.md");
  await vscode.showPreview();
  for (const [theme, mark] of Object.entries(THEMES)) {
    await vscode.theme(theme);
    await vscode.panel.locator(`body.${mark}`).waitFor();
    // Colors change in several steps: wait for the last one.
    await page.waitForTimeout(1_000);
    await shot(theme.toLowerCase().replaceAll(" ", "-"));
    const found = await violations(page);
    assert.deepEqual(found, [], `axe in the theme ${theme}`);
  }
});

/** The axe violations in the panel's document, shortened. */
async function violations(page) {
  const outer = await (await page.locator("iframe.webview.ready").elementHandle()).contentFrame();
  const frame = await (await outer.locator("iframe#active-frame").elementHandle()).contentFrame();
  await frame.evaluate(AXE);
  const results = await frame.evaluate(() => window.axe.run(document.body));
  return results.violations.map(({ id, nodes }) => ({
    id,
    nodes: nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary}`),
  }));
}
