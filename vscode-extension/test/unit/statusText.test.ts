import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChangeEvent } from "../../src/protocol";
import { sizeChangeText } from "../../src/countTexts";
import { statusText } from "../../src/statusText";

const PROMPT: ChangeEvent = {
  runtime: "deepagents-code",
  agent: "agent",
  root: null, saved: "h", state: "s", entries: 0, hash: "0",
  bytes: 8400,
  tokens: 2184,
  budget: 4000,
  errors: 0,
  warnings: 0,
  uris: [],
  at: 0,
};

test("without problems the bar has only the number of tokens", () => {
  const status = statusText("running", PROMPT, "en");
  assert.equal(status.bar, "$(book) 2,184");
  assert.equal(status.severity, "none");
  assert.equal(status.tooltip, "Prompt of deepagents-code for the agent agent: 2,184 of 4,000 tokens (estimated).");
  assert.doesNotMatch(status.spoken, /\$\(/);
});

test("problems have their own mark and do not alarm about tokens", () => {
  const errors = statusText("running", { ...PROMPT, errors: 1, warnings: 5 }, "en");
  assert.equal(errors.bar, "$(book) 2,184 $(error) 1");
  assert.equal(errors.severity, "none");
  assert.match(errors.tooltip, /\nProblems in its files: 1 error, 5 warnings\.$/);
  assert.equal(statusText("running", { ...PROMPT, warnings: 5 }, "en").bar, "$(book) 2,184 $(warning) 5");
});

test("a full budget is an alarm that says so", () => {
  const status = statusText("running", { ...PROMPT, tokens: 4001 }, "en");
  assert.equal(status.bar, "$(book) 4,001 of 4,000");
  assert.equal(status.severity, "warning");
  assert.match(status.tooltip, /over its budget/);
  assert.equal(statusText("running", { ...PROMPT, tokens: 4001, budget: 0 }, "en").severity, "none");
});

test("the language status has the number once and no icon", () => {
  const status = statusText("running", { ...PROMPT, errors: 1 }, "en");
  assert.equal(status.text, "Agent Memory: 2,184 tokens");
  assert.equal(status.detail, "deepagents-code");
});

test("numbers are formatted for the user's language", () => {
  assert.equal(statusText("running", PROMPT, "de").bar, "$(book) 2.184");
});

test("each server state without a prompt has its own text", () => {
  const texts = (["off", "starting", "failed"] as const).map((state) => statusText(state, undefined, "en").text);
  assert.equal(new Set(texts).size, 3);
  assert.match(statusText("starting", undefined, "en").bar, /^\$\(loading~spin\)/);
  assert.equal(statusText("failed", PROMPT, "en").severity, "error");
});

test("a change of the size has its sign", () => {
  assert.equal(sizeChangeText(640, 1683, "en"), "1,683 tokens, +1,043");
  assert.equal(sizeChangeText(2, 1, "en"), "1 token, -1");
  assert.equal(sizeChangeText(7, 7, "en"), "7 tokens, ±0");
});
