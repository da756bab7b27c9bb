// A memory file of 10,000 lines: the preview opens fast, follows typing and scrolls smoothly.
import assert from "node:assert/strict";
import path from "node:path";
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";
import { median, scrollThrough, sentSince, observePanels } from "../lib/measurements.mjs";
import { until } from "../lib/sandbox.mjs";

const LINES = 10_000;
const MEMORY = ".deepagents/agent.md";
const ROUNDS = 3;
/** Several times what the server and the page need for a keystroke on a busy machine. */
const SETTLED_MS = 1_200;
const items = Array.from({ length: LINES }, (_, n) => `- Gauge ${n} is read at ${n % 24}:00 from pier ${n % 7}`);
const TEXT = `# Gauges\n\n${items.join("\n")}\n`;
const settings = { "agentMemory.trace.server": "messages" };
const extensions = [path.join(import.meta.dirname, "..", "extension-host", "baseline")];
const workspace = { ...PROJECT.workspace, [MEMORY]: TEXT };
const AGENTS = {
  agents: ["claude-code", "codex"],
  workspace: { "AGENTS.md": TEXT, "CLAUDE.md": "@AGENTS.md\n" },
  settings,
  extensions,
};

journey("large-agents", "10,000 lines as fast with two installed agents", AGENTS, async (here) => {
  await measure(here, "AGENTS.md");
  assert.ok(await here.vscode.panel.locator("#badge", { hasText: "exact · claude-code" }).count());
});

journey("large", "10,000 lines without stutter", { ...PROJECT, workspace, settings, extensions }, async (here) => {
  const { vscode, page, shot, report } = here;
  const seen = await measure(here, MEMORY);
  const rows = vscode.panel.locator(".line");

  // A hidden preview sends no requests and is current when shown again.
  seen.length = 0;
  await vscode.command("Baseline: Open an Empty Panel in the Second Column");
  await until("the preview is hidden", () => seen.some(({ shows }) => shows));
  const hidden = await pressed(here, seen, "ly");
  assert.deepEqual(Object.keys(hidden.sent).filter((name) => name.startsWith("agentMemory/")), []);
  await vscode.command("Baseline: Close Empty Panels");
  await until("one panel", async () => (await page.locator("iframe.webview").count()) === 1);
  await vscode.panel.locator("body[data-hash] .line").first().waitFor();
  await until("the preview is up to date", async () => /pier \dquietly\n/.test(await vscode.panelText()));
  await shot("2-again");

  // Keyboard navigation to the end, where lines become rows.
  await rows.filter({ hasText: "quietly" }).click();
  await rows.filter({ hasText: "quietly" }).focus();
  await page.keyboard.press("End");
  const last = vscode.panel.locator('.line[tabindex="0"]');
  await last.waitFor();
  assert.equal(await last.getAttribute("aria-posinset"), await last.getAttribute("aria-setsize"));
  await page.keyboard.press("PageUp");
  await shot("3-end");

  // The best of several: a busy machine only makes frames longer.
  const scrolls = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    scrolls.push(await scrollThrough(vscode.panel));
  }
  const slow = ({ frames }) => frames[Math.floor(frames.length * 0.98)];
  const smooth = scrolls.toSorted((a, b) => slow(a) - slow(b))[0];
  const { frames } = smooth;
  report(`scrolling: ${frames.length} frames, half in ${median(frames)}, 98 % in ${slow(smooth)}, all in ${frames.at(-1)} ms`);
  assert.ok(Math.min(...scrolls.map(({ long }) => long.length)) === 0, "no task of the page over 50 ms");
  assert.ok(slow(smooth) <= 50, `${frames.slice(-10)} ms`);

  await vscode.panel.locator("html").evaluate((html) => html.scrollTo(0, html.scrollHeight / 2));
  await rows.filter({ hasText: "Gauge 5000 is" }).waitFor();
  await shot("4-middle");
  await until("few rows", async () => (await rows.count()) < 1_000);
});

/** Open the preview and type into `memory`, compared with a minimal panel; returns the messages. */
async function measure(here, memory) {
  const { vscode, page, sandbox, shot, report } = here;
  const seen = await observePanels(page);
  await vscode.enter();
  await vscode.trust();
  await vscode.open(memory, LINES / 2);
  await vscode.tokens.waitFor();

  // Time to open, compared with a minimal panel.
  await timeOfOpening(here, seen, "an Empty Panel"); // the first panel of a browser takes seconds
  const baseline = [];
  const first = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    baseline.push(await timeOfOpening(here, seen, "an Empty Panel"));
    first.push(await timeOfOpening(here, seen, "the Preview"));
  }
  report(`first shown after ${first} ms; an empty panel after ${baseline} ms`);
  assert.ok(median(first) < 2 * median(baseline) + 250, `first: ${first} ms, baseline: ${baseline} ms`);

  await vscode.command("Baseline: Open the Preview");
  await vscode.panel.locator("body[data-hash] .line").first().waitFor();
  await shot("1-first");
  assert.equal(await vscode.panelText(), sandbox.agentMemory("prompt"));
  assert.ok((await vscode.panel.locator(".line").count()) < 1_000, "only lines near the window are rows");

  // A keystroke: one request, a small patch, shown with the next frame.
  await vscode.command("Baseline: Open an Empty Panel in the Third Column");
  await until("the third column", () => seen.at(-1)?.panel === "Baseline");
  await vscode.goTo(LINES / 2, 999);
  const keys = [];
  for (const key of "quiet") {
    keys.push(await pressed(here, seen, key));
  }
  report(`a key is shown after ${keys.map(({ shown }) => shown)} ms; in an empty panel after ${keys.map((item) => item.baseline)} ms`);
  for (const { sent, size } of keys) {
    assert.equal(sent["agentMemory/prompt"], 1, JSON.stringify(sent));
    assert.equal(sent["agentMemory/sources"], undefined, JSON.stringify(sent));
    assert.ok(size < 4_000, `${size} characters are sent for a key`);
  }
  const [shown, least] = [median(keys.map((key) => key.shown)), median(keys.map((key) => key.baseline))];
  assert.ok(shown < 3 * least + 150, `a key: ${shown} ms, baseline: ${least} ms`);
  return seen;
}

/** Open and close a panel; returns milliseconds from the command to the frame that shows a line. */
async function timeOfOpening({ vscode, page }, seen, what) {
  seen.length = 0;
  await vscode.command(`Baseline: Open ${what}`);
  const shown = await until(`${what} is shown`, () => seen.find(({ shows }) => shows));
  const text = await page.locator(".statusbar-item", { hasText: /^baseline \d/ }).textContent();
  await page.waitForTimeout(1_000);
  await vscode.command("Baseline: Close All Panels");
  await page.locator("iframe.webview").waitFor({ state: "detached" });
  return Math.round(shown.painted - Number(/\d+/.exec(text)[0]));
}

/** Type keys and wait until they are processed; returns when they were shown and what was sent. */
async function pressed({ page, server }, seen, keys) {
  await page.waitForTimeout(SETTLED_MS); // until earlier keys are processed
  seen.length = 0;
  const at = Date.now();
  await page.keyboard.type(keys);
  await page.waitForTimeout(SETTLED_MS);
  const handled = (panel) => seen.find((message) => message.panel === panel);
  const after = (panel) => Math.round((handled(panel)?.painted ?? NaN) - at);
  return {
    shown: after("Prompt Preview"),
    baseline: after("Baseline"),
    size: handled("Prompt Preview")?.size ?? 0,
    sent: sentSince(server.logs, at),
  };
}
