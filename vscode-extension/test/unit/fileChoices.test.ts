import assert from "node:assert/strict";
import { test } from "node:test";
import { fileChoices } from "../../src/remember/fileChoices";

test("a choice has the short path and the runtime", () => {
  const target = { role: "memory", scope: "project", runtime: "deepagents-code", name: "project", exists: true };
  const skill = { ...target, role: "skill", name: "release-notes", exists: false };
  const choices = fileChoices(
    [
      { ...target, path: "/tides/AGENTS.md", uri: "file:///tides/AGENTS.md" },
      { ...skill, path: "/tides/SKILL.md", uri: "file:///tides/SKILL.md" },
    ],
    (path) => path.replace("/tides/", ""),
  );
  assert.deepEqual(choices, [
    { label: "AGENTS.md", description: "project memory · deepagents-code", file: "file:///tides/AGENTS.md" },
    { label: "SKILL.md", description: "release-notes · project memory · deepagents-code · new file", file: "file:///tides/SKILL.md" },
  ]);
});
