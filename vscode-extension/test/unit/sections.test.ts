import assert from "node:assert/strict";
import { test } from "node:test";
import type { RememberPlan } from "../../src/protocol";
import { sectionGroups } from "../../src/remember/sections";

function plan(outcome: RememberPlan["outcome"], sections: RememberPlan["sections"]): RememberPlan {
  return { outcome, message: "", target: null, sections, secrets: [], evicts: [], item: "", place: "", notes: [] };
}

test("project comes before user, and the suggested section first", () => {
  const groups = sectionGroups({
    user: plan("duplicate", [{ title: "Preferences", suggested: true }]),
    project: plan("consent", [
      { title: "Build", suggested: false },
      { title: "Style", suggested: true },
    ]),
  });
  assert.deepEqual(
    groups.map((group) => [group.title, group.choices.map((item) => item.section)]),
    [
      ["Project Memory", ["Style", "Build", undefined]],
      ["User Memory", ["Preferences", undefined]],
    ],
  );
});

test("a memory file that refuses the item is not offered", () => {
  const groups = sectionGroups({ project: plan("refused", []), user: plan("ready", []) });
  assert.deepEqual(groups.map((group) => group.title), ["User Memory"]);
});
