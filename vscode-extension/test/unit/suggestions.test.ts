import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as path from "node:path";
import { test } from "node:test";
import type { Schema } from "../../src/settingsFile/suggestions";
import { suggestions } from "../../src/settingsFile/suggestions";

const SCHEMA = JSON.parse(
  readFileSync(path.resolve(__dirname, "../../../docs/agent-memory.schema.json"), "utf8"),
) as Schema;

function labels(before: string, ...above: string[]): string[] {
  return suggestions(SCHEMA, above, before).map(({ label }) => label);
}

test("keys are completed, those of a table with dots", () => {
  assert.ok(labels("ru").includes("runtime"));
  assert.ok(labels("").includes("budget.tokens"));
  assert.ok(labels("", "[budget]").includes("tokens"));
  assert.deepEqual(labels("", "[unknown]"), []);
});

test("rule codes and names are completed in the table of rules", () => {
  const found = labels("AM", 'runtime = "codex"', "[rules]");
  assert.ok(found.includes("AM501") && found.includes("stale-path"));
});

test("values are completed by the key", () => {
  assert.deepEqual(labels("AM501 = ", "[rules]"), ['"error"', '"warning"', '"info"', '"off"']);
  assert.ok(labels('runtime = "').includes('"codex"'));
  assert.deepEqual(labels("autoSave = t"), ["true", "false"]);
  assert.deepEqual(labels("budget.tokens = "), ["4000"]);
  assert.deepEqual(labels("unknown = "), []);
});

test("tables are completed after a bracket", () => {
  assert.ok(labels("[").includes("rules"));
  assert.deepEqual(labels("# runtime "), []);
});
