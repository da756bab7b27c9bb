import assert from "node:assert/strict";
import { test } from "node:test";
import { applyPatch, IncrementalPrompt } from "../../src/preview/incrementalPrompt";
import type { PromptPatchParams, PromptPatch } from "../../src/protocol";

function answer(patch: Partial<PromptPatch["patch"]>, units: number[]): PromptPatch {
  const segments = units.map((length) => ({
    kind: "user" as const, label: "", path: null, uri: null, startLine: null, endLine: null, block: 0,
    bytes: 0, tokens: 0, units: length,
  }));
  return {
    runtime: "r", title: "R", runtimeReason: "", agent: "a", agentReason: "", version: "",
    exactness: "exact", origin: "", masked: false, hash: "h", bytes: 0, tokens: 0, budget: 0, blocks: [{ role: "system" }],
    sources: [], problems: [], root: null, runtimes: [], runtimesNote: "", agents: [], state: "s", segments,
    patch: { id: "new", base: "", at: 0, removed: 0, text: "", ...patch },
  };
}

/** A prompt from a server with prepared answers; `requests` records the requested ids. */
function incremental(...answers: (PromptPatch | undefined)[]) {
  const requests: string[] = [];
  const request = (_type: unknown, params: unknown) => {
    requests.push((params as PromptPatchParams).since);
    return Promise.resolve(answers.shift() as never);
  };
  return { prompt: new IncrementalPrompt({ request }), requests };
}

test("a patch produces the text and its segments, in UTF-16 code units", () => {
  const shown = applyPatch(answer({ at: 3, removed: 1, text: "\u{1f30a}!" }, [4, 3]), "a\nbcd\n");
  assert.equal(shown.text, "a\nb\u{1f30a}!d\n");
  assert.deepEqual(shown.segments.map(({ text }) => text), ["a\nb\ud83c", "\udf0a!d"]);
  assert.equal("patch" in shown, false);
});

test("it requests the changes since its last text", async () => {
  const { prompt, requests } = incremental(
    answer({ id: "1", text: "one\n" }, [4]),
    answer({ id: "2", base: "1", at: 3, text: "!" }, [5]),
  );
  assert.equal((await prompt.request({}))?.text, "one\n");
  assert.equal((await prompt.request({}))?.text, "one!\n");
  assert.deepEqual(requests, ["", "1"]);
});

test("a restarted server sends the complete text", async () => {
  const { prompt, requests } = incremental(
    answer({ id: "1", text: "old" }, [3]),
    undefined,
    answer({ id: "2", base: "", text: "new" }, [3]),
  );
  await prompt.request({});
  assert.equal(await prompt.request({}), undefined);
  assert.equal((await prompt.request({}))?.text, "new");
  assert.deepEqual(requests, ["", "1", "1"]);
});
