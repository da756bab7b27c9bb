import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChangeEvent } from "../../src/protocol";
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

test("without problems it is a plain number", () => {
  const status = statusText("running", PROMPT, "en");
  assert.equal(status.text, "$(book) 2,184 tokens");
  assert.equal(status.severity, "none");
  assert.match(status.detail, /2,184 of 4,000 tokens/);
  assert.doesNotMatch(status.spoken, /\$\(/);
});

test("errors come before warnings, and a full budget is a warning", () => {
  assert.equal(statusText("running", { ...PROMPT, errors: 1, warnings: 5 }, "en").severity, "error");
  assert.equal(statusText("running", { ...PROMPT, warnings: 5 }, "en").severity, "warning");
  assert.equal(statusText("running", { ...PROMPT, tokens: 4001 }, "en").severity, "warning");
  assert.equal(statusText("running", { ...PROMPT, tokens: 4001, budget: 0 }, "en").severity, "none");
});

test("numbers are formatted for the user's language", () => {
  assert.equal(statusText("running", PROMPT, "de").text, "$(book) 2.184 tokens");
});

test("each server state without a prompt has its own text", () => {
  const details = (["off", "starting", "failed"] as const).map(
    (state) => statusText(state, undefined, "en").detail,
  );
  assert.equal(new Set(details).size, 3);
  assert.equal(statusText("starting", undefined, "en").busy, true);
  assert.equal(statusText("failed", PROMPT, "en").severity, "error");
});
