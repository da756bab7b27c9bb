// Typing into large memory files: a few requests a key, none of them twice, and nothing piles up.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";
import { sentSince } from "../lib/watch.mjs";
import { until } from "../lib/world.mjs";

const MEMORY = ".deepagents/agent.md";
const SENTENCE = "the printed tables round half to even";
const QUIET_MS = 3_000;

for (const [name, bytes] of [["64 KB", 64_000], ["1 MB", 1_000_000]]) {
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

  journey(`typing-${bytes}`, `typing into ${name} makes no storm of requests`, options, async (here) => {
    const { vscode, page, server, shot, tell } = here;
    await vscode.enter();
    await vscode.trust();
    await vscode.open(MEMORY, 100);
    await page.locator(".statusbar-item", { hasText: "tokens" }).first().waitFor();
    await vscode.goTo(100, 999);
    await page.waitForTimeout(QUIET_MS);

    const one = Date.now();
    await page.keyboard.type("!");
    await page.waitForTimeout(QUIET_MS);
    const key = sentSince(server.logs, one);
    tell(`a key: ${told(key)}`);
    // The editor asks again for lens and actions when the findings of a line change.
    assert.equal(key["textDocument/didChange"], 1);
    assert.equal(key["textDocument/diagnostic"] <= 2, true, told(key));
    assert.deepEqual(Object.keys(key).filter((method) => method.startsWith("agentMemory/")), []);
    assert.ok(Object.values(key).every((count) => count <= 3), told(key));

    const start = Date.now();
    await page.keyboard.type(SENTENCE, { delay: 20 });
    await page.waitForTimeout(QUIET_MS);
    const sent = sentSince(server.logs, start);
    tell(`${SENTENCE.length} keys: ${told(sent)}`);
    const requests = Object.entries(sent).filter(([method]) => isRequest(method));
    const sum = requests.reduce((total, [, count]) => total + count, 0);
    assert.ok(sum < 2 * SENTENCE.length, `${sum} requests`);
    assert.deepEqual(Object.keys(sent).filter((method) => method.startsWith("agentMemory/")), []);
    await vscode.line(SENTENCE).waitFor();
    await shot("1-typed");

    // A view that is seen asks once the typing has paused, since the file has another size, and no
    // more for saving it.
    await page.locator('.activitybar [aria-label^="Agent Memory"]').first().click();
    const row = page.locator(".sidebar .monaco-list-row", { hasText: "2nd" }).first();
    await row.waitFor();
    const before = await row.textContent();
    await vscode.goTo(100, 999);
    await page.waitForTimeout(QUIET_MS);
    const seen = Date.now();
    await page.keyboard.type(SENTENCE, { delay: 20 });
    await until("the view has the new size", async () => (await row.textContent()) !== before);
    await page.waitForTimeout(QUIET_MS);
    const pauses = sentSince(server.logs, seen)["agentMemory/sources"];
    const few = SENTENCE.length / 4; // a busy machine makes pauses between the keys
    assert.ok(pauses >= 1 && pauses <= few, `${pauses} questions of the view`);
    const saved = Date.now();
    await vscode.save();
    await page.waitForTimeout(QUIET_MS);
    assert.equal(sentSince(server.logs, saved)["agentMemory/sources"], undefined);
    assert.equal(sentSince(server.logs, saved)["agentMemory/recall"], undefined);
    await shot("2-view");
  });
}

function isRequest(method) {
  return !["textDocument/didChange", "$/cancelRequest"].includes(method);
}

function told(counts) {
  return Object.entries(counts)
    .map(([method, count]) => `${method.replace("textDocument/", "")} ${count}`)
    .join(", ");
}
