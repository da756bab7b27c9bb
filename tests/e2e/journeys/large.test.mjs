// A memory file of 10,000 lines: the preview is there at once, follows the keys and can be read whole.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";
import { until } from "../lib/world.mjs";

const LINES = 10_000;
const MEMORY = ".deepagents/agent.md";
const items = Array.from({ length: LINES }, (_, n) => `- Gauge ${n} is read at ${n % 24}:00 from pier ${n % 7}`);
const options = {
  ...PROJECT,
  workspace: { ...PROJECT.workspace, [MEMORY]: `# Gauges\n\n${items.join("\n")}\n` },
};

/** Generous: most of it is VS Code at its own work, and the machine may do other things. Figures: docs/benchmarks.md. */
const FIRST_MS = 15_000;
const KEY_MS = 2_500;

journey("large", "10,000 lines without stutter", options, async (here) => {
  const { vscode, page, world, shot, tell } = here;
  await vscode.enter();
  await vscode.trust();
  await vscode.open(MEMORY, LINES / 2);
  await page.locator(".statusbar-item", { hasText: "tokens" }).first().waitFor();

  await vscode.command("Agent Memory: Preview Prompt");
  const asked = Date.now();
  await vscode.panel.locator("body[data-hash] .line").first().waitFor();
  const first = Date.now() - asked;
  await shot("1-first");
  assert.equal(await vscode.panelText(), world.agentMemory("prompt"));
  const rows = vscode.panel.locator(".line");
  assert.ok((await rows.count()) < 1_000, "only lines near the window are rows");

  await page.keyboard.press("End");
  const times = [];
  for (const end of ["q", "qu", "qui", "quie", "quiet"]) {
    times.push(await timeOfKey(vscode, page, end));
  }
  times.sort((a, b) => a - b);
  const [, , median] = times;
  tell(`first show ${first} ms; a key ${median} ms (${times.join(", ")})`);
  assert.ok(first < FIRST_MS, `first show: ${first} ms`);
  assert.ok(median < KEY_MS, `a key: ${times} ms`);

  // Anywhere in the file: by the keyboard to the end, where lines are rows too.
  await rows.filter({ hasText: "# Gauges" }).click();
  await rows.filter({ hasText: "# Gauges" }).focus();
  await page.keyboard.press("End");
  const last = vscode.panel.locator('.line[tabindex="0"]');
  await last.waitFor();
  assert.equal(await last.getAttribute("aria-posinset"), await last.getAttribute("aria-setsize"));
  await page.keyboard.press("PageUp");
  await shot("2-end");
  await vscode.panel.locator("html").evaluate((html) => html.scrollTo(0, html.scrollHeight / 2));
  await rows.filter({ hasText: "Gauge 5000 is" }).waitFor();
  await shot("3-middle");
  await until("few rows", async () => (await rows.count()) < 1_000);
  assert.match(await vscode.panelText(), /pier \dquiet\n/);
});

/** Milliseconds from a key in the editor to the panel that shows its line with `end`. */
async function timeOfKey(vscode, page, end) {
  const line = `${items[LINES / 2 - 3]}${end}\n`;
  const seen = vscode.panel.locator("#segments").evaluate(
    (element, text) =>
      new Promise((resolve) => {
        new MutationObserver((_, observer) => {
          if (element.textContent.includes(text)) {
            observer.disconnect();
            resolve(Date.now());
          }
        }).observe(element, { childList: true, subtree: true, characterData: true });
      }),
    line,
  );
  await page.waitForTimeout(1_500); // what followed on the key before is done
  const pressed = Date.now();
  await page.keyboard.press(end.at(-1));
  return (await seen) - pressed;
}
