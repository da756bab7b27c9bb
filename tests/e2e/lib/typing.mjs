// Typing in large memory files: few requests per keystroke, and no backlog.
import assert from "node:assert/strict";
import { journey } from "./journey.mjs";
import { slowness } from "./machine.mjs";
import { PROJECT } from "./project.mjs";
import { sentSince, settled } from "./measurements.mjs";
import { until } from "./sandbox.mjs";

const MEMORY = ".deepagents/agent.md";
const SENTENCE = "the printed tables round half to even";
const QUIET_MS = 3_000;

/** Declare the journey that types into a file of `bytes`, called `size` in its title. */
export function typing(size, bytes) {
  const line = (n) => `- Gauge ${n} is read at ${n % 24}:00 from pier ${n % 7}\n`;
  let text = "# Gauges\n\n";
  for (let n = 0; text.length < bytes; n += 1) {
    text += line(n);
  }
  const options = {
    ...PROJECT,
    workspace: { ...PROJECT.workspace, [MEMORY]: text },
    settings: { "agentMemory.trace.server": "messages" },
  };

  journey(`typing-${bytes}`, `typing in ${size} sends few requests`, options, async (here) => {
    const { vscode, page, server, shot, report } = here;
    await vscode.enter();
    await vscode.trust();
    await vscode.open(MEMORY, 100);
    await vscode.tokens.waitFor();
    await vscode.goTo(100, 999);
    // Requests of the start must not be counted as answers to the key.
    await settled(server.logs, QUIET_MS * slowness());

    const one = Date.now();
    await page.keyboard.type("!");
    await settled(server.logs, QUIET_MS);
    const key = sentSince(server.logs, one);
    report(`a key: ${describe(key)}`);
    // The editor repeats code lens and code action requests when the findings of a line change.
    assert.equal(key["textDocument/didChange"], 1);
    assert.equal(key["textDocument/diagnostic"] <= 2, true, describe(key));
    assert.deepEqual(Object.keys(key).filter((method) => method.startsWith("agentMemory/")), []);
    const asked = Object.entries(key).filter(([method]) => isRequest(method));
    assert.ok(asked.every(([, count]) => count <= 4), describe(key));

    const start = Date.now();
    await page.keyboard.type(SENTENCE, { delay: 20 });
    await settled(server.logs, QUIET_MS);
    const sent = sentSince(server.logs, start);
    report(`${SENTENCE.length} keys: ${describe(sent)}`);
    const requests = Object.entries(sent).filter(([method]) => isRequest(method));
    const sum = requests.reduce((total, [, count]) => total + count, 0);
    assert.ok(sum < 2 * SENTENCE.length, `${sum} requests`);
    assert.deepEqual(Object.keys(sent).filter((method) => method.startsWith("agentMemory/")), []);
    await vscode.line(SENTENCE).waitFor();
    await shot("1-typed");

    // The visible Sources view requests once typing pauses, because the size changed, and once after
    // saving, because the file on disk changed.
    await page.locator('.activitybar [aria-label^="Agent Memory"]').first().click();
    const row = page.locator(".sidebar .monaco-list-row", { hasText: "tok · .deepagents" }).first();
    await row.waitFor();
    const before = await row.textContent();
    await vscode.goTo(100, 999);
    await page.waitForTimeout(QUIET_MS);
    const seen = Date.now();
    await page.keyboard.type(SENTENCE, { delay: 20 });
    await until("the view has the new size", async () => (await row.textContent()) !== before);
    await page.waitForTimeout(QUIET_MS);
    const pauses = sentSince(server.logs, seen)["agentMemory/sources"];
    const few = SENTENCE.length / 2; // on a busy machine there are pauses between the keys
    assert.ok(pauses >= 1 && pauses <= few, `${pauses} requests of the view`);
    const saved = Date.now();
    await vscode.save();
    await page.waitForTimeout(QUIET_MS);
    const again = sentSince(server.logs, saved)["agentMemory/sources"] ?? 0;
    assert.ok(again <= 1, `${again} requests of the view after saving`);
    assert.equal(sentSince(server.logs, saved)["agentMemory/recall"], undefined);
    await shot("2-view");
  });
}

function isRequest(method) {
  return !method.startsWith("$/") && !/\/did[A-Z]/.test(method);
}

function describe(counts) {
  return Object.entries(counts)
    .map(([method, count]) => `${method.replace("textDocument/", "")} ${count}`)
    .join(", ");
}
