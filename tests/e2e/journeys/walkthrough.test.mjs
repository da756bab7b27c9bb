// The walkthrough: its pictures follow the theme. Check them in .cache/shots/walkthrough.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";

const STEPS = ["See the prompt", "Remember a selection", "Fix problems", "See every source"];
const THEMES = ["Light Modern", "Dark Modern", "Dark High Contrast", "Light High Contrast"];

journey("walkthrough", "the walkthrough's pictures follow the theme", PROJECT, async (here) => {
  const { vscode, page, shot } = here;
  await vscode.enter();
  await vscode.trust();
  const colors = new Set();
  for (const [index, theme] of THEMES.entries()) {
    await vscode.theme(theme);
    await vscode.command("Agent Memory: Get Started");
    const step = page.locator(".getting-started-step", { hasText: STEPS[index] });
    await step.click();
    const picture = vscode.panel.locator("svg");
    await picture.waitFor();
    await page.waitForTimeout(1_000); // the colors change in several steps
    await shot(theme.toLowerCase().replaceAll(" ", "-"));
    colors.add(await picture.locator("rect").first().evaluate((item) => getComputedStyle(item).fill));
    await vscode.command("View: Close All Editors");
  }
  assert.ok(colors.size >= 3, [...colors].join(", "));
});
