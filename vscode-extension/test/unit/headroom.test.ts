import assert from "node:assert/strict";
import { test } from "node:test";
import { headroom } from "../../src/headroom";
import type { Prompt, Segment, Source } from "../../src/protocol";

const URI = "file:///p/AGENTS.md";

function prompt(tokens: number, budget: number, more: Partial<Prompt> = {}): Prompt {
  const base = { label: "", path: null, uri: null, startLine: null, endLine: null, block: 0, bytes: 0, text: "" };
  const segments: Segment[] = [
    { ...base, kind: "template", tokens: 10 },
    { ...base, kind: "project", path: "/p/AGENTS.md", uri: URI, startLine: 0, endLine: 2, tokens: tokens - 10 },
  ];
  return {
    runtime: "r", title: "R", runtimeReason: "", agent: "a", agentReason: "", version: "",
    exactness: "exact", origin: "", text: "", masked: false, hash: "", bytes: 0, tokens, budget,
    blocks: [{ role: "system" }], segments, sources: [], problems: [], ...more,
  };
}

const result = (value: Prompt, lines: string[] = []) => headroom(value, () => lines, (path) => path, "de");

test("no message with enough room", () => {
  assert.deepEqual(result(prompt(90, 100)), { level: 0, message: "" });
  assert.deepEqual(result(prompt(5000, 0)), { level: 0, message: "" }, "0 is no budget");
});

test("near the budget the remaining tokens are named", () => {
  assert.deepEqual(result(prompt(91, 100)), { level: 1, message: "9 of 100 tokens left for memory." });
});

test("over the budget the largest part is named", () => {
  const { level, message } = result(prompt(150, 100));
  assert.equal(level, 2);
  assert.match(message, /over its budget: 150 of 100 tokens\. The largest part is project memory \(140 tokens\)/);
});

test("numbers are formatted for the user's language", () => {
  assert.match(result(prompt(15_000, 4000)).message, /15\.000 of 4\.000 tokens.*\(14\.990 tokens\)/);
  assert.equal(result(prompt(18_500, 20_000)).message, "1.500 of 20.000 tokens left for memory.");
});

test("the warning about a truncated file names the lost lines without their content", () => {
  const truncated: Source = {
    path: "/p/AGENTS.md", uri: URI, scope: "project", role: "memory", status: "truncated",
    reason: "only 16384 bytes", order: 1, name: "", bytes: 0, tokens: 0,
  };
  const lines = ["a", "b", "", "", "- a password", "- more", ""];
  const { level, message } = result(prompt(20, 100, { sources: [truncated] }), lines);
  assert.equal(level, 3);
  assert.equal(message, "r truncates /p/AGENTS.md: lines 5 to 6 don't reach the agent.");
  const one = result(prompt(20, 100, { sources: [truncated] }), lines.slice(0, 5)).message;
  assert.equal(one, "r truncates /p/AGENTS.md: line 5 doesn't reach the agent.");
  assert.match(result(prompt(20, 100, { sources: [truncated] })).message, /only 16384 bytes/);
});
