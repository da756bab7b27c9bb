import assert from "node:assert/strict";
import { test } from "node:test";
import { headroom } from "../../src/headroom";
import type { Prompt, Segment, Source } from "../../src/protocol";

const URI = "file:///p/AGENTS.md";

function prompt(tokens: number, budget: number, more: Partial<Prompt> = {}): Prompt {
  const base = { label: "", path: null, uri: null, startLine: null, endLine: null, bytes: 0, text: "" };
  const segments: Segment[] = [
    { ...base, kind: "template", tokens: 10 },
    { ...base, kind: "project", path: "/p/AGENTS.md", uri: URI, startLine: 0, endLine: 2, tokens: tokens - 10 },
  ];
  return {
    runtime: "r", title: "R", runtimeReason: "", agent: "a", agentReason: "", version: "",
    exactness: "exact", origin: "", text: "", masked: false, hash: "", bytes: 0, tokens, budget,
    segments, sources: [], problems: [], ...more,
  };
}

const said = (value: Prompt, lines: string[] = []) => headroom(value, () => lines, (path) => path, "de");

test("with room enough nothing is said", () => {
  assert.deepEqual(said(prompt(90, 100)), { level: 0, message: "" });
  assert.deepEqual(said(prompt(5000, 0)), { level: 0, message: "" }, "0 is no budget");
});

test("near the budget the rest is named", () => {
  assert.deepEqual(said(prompt(91, 100)), { level: 1, message: "9 of 100 tokens are left for memory." });
});

test("over the budget the largest part is named", () => {
  const { level, message } = said(prompt(150, 100));
  assert.equal(level, 2);
  assert.match(message, /50 tokens over its budget of 100.*project with 140/);
});

test("numbers are written as the user's language writes them", () => {
  assert.match(said(prompt(15_000, 4000)).message, /11\.000 tokens over its budget of 4\.000.*project with 14\.990/);
  assert.equal(said(prompt(18_500, 20_000)).message, "1.500 of 20.000 tokens are left for memory.");
});

test("a file that is cut off names the lines that nobody receives, and not what stands there", () => {
  const cut: Source = {
    path: "/p/AGENTS.md", uri: URI, scope: "project", role: "memory", status: "truncated",
    reason: "only 16384 bytes", order: 1, name: "", bytes: 0, tokens: 0,
  };
  const lines = ["a", "b", "", "", "- a password", "- more", ""];
  const { level, message } = said(prompt(20, 100, { sources: [cut] }), lines);
  assert.equal(level, 3);
  assert.equal(message, "R cuts /p/AGENTS.md off: nothing from line 5 to line 6 reaches the agent.");
  assert.match(said(prompt(20, 100, { sources: [cut] })).message, /only 16384 bytes/);
});
