import assert from "node:assert/strict";
import { test } from "node:test";
import { fileChoices } from "../../src/remember/fileChoices";

test("a memory file is named by its short path, and by who reads it", () => {
  const target = { role: "memory", scope: "project", runtime: "deepagents-code", name: "project", exists: true };
  const skill = { ...target, role: "skill", name: "release-notes", exists: false };
  const choices = fileChoices(
    [
      { ...target, path: "/work/AGENTS.md", uri: "file:///work/AGENTS.md" },
      { ...skill, path: "/work/SKILL.md", uri: "file:///work/SKILL.md" },
    ],
    (path) => path.replace("/work/", ""),
  );
  assert.deepEqual(choices, [
    { label: "AGENTS.md", description: "project memory · deepagents-code", file: "file:///work/AGENTS.md" },
    { label: "SKILL.md", description: "release-notes · project memory · deepagents-code · new file", file: "file:///work/SKILL.md" },
  ]);
});
