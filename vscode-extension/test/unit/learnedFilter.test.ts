import assert from "node:assert/strict";
import { test } from "node:test";
import type { Entry } from "../../src/protocol";
import { escapeMarkdown } from "../../src/views/escapeMarkdown";
import { filterChoices, filterOf, filterText, isChosen } from "../../src/views/learnedFilter";

function entry(...tags: string[]): Entry {
  return { id: "1", scope: "global", kind: "user", summary: "s", tags, score: 0, path: "", uri: "", body: "" };
}

test("the choices are scopes, kinds, the tags of the entries, and ages", () => {
  const choices = filterChoices([entry("b", "a"), entry("a")]);
  const values = (group: string) => choices.filter((item) => item.group === group).map(({ value }) => value);
  assert.deepEqual(values("scopes"), ["global", "agent", "run"]);
  assert.deepEqual(values("kinds"), ["user", "feedback", "project", "reference"]);
  assert.deepEqual(values("tags"), ["a", "b"]);
  assert.deepEqual(values("age"), ["older", "unused"]);
});

test("a filter is made of the chosen choices, shows them again and is described", () => {
  const chosen = filterChoices([entry("boats")]).filter(({ value }) => ["user", "project", "boats", "older"].includes(value));
  const filter = filterOf(chosen);
  assert.deepEqual(filter, { kinds: ["user", "project"], tags: ["boats"], older: 90 });
  assert.deepEqual(filterChoices([entry("boats")]).filter((item) => isChosen(filter, item)), chosen);
  assert.equal(filterText(filter), "user, project, #boats, not changed for 90 days");
  assert.deepEqual([filterOf([]), filterText({})], [{}, ""]);
});

test("text for a tooltip stays text", () => {
  assert.equal(escapeMarkdown("a *b* [c](command:d) <img>"), "a \\*b\\* \\[c\\]\\(command:d\\) \\<img\\>");
  assert.equal(escapeMarkdown("a\n# b"), "a \\# b");
});
