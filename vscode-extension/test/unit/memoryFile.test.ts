import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryFile } from "../../src/memoryFile";
import type { Source } from "../../src/protocol";

function source(path: string, more: Partial<Source>): Source {
  return {
    path, uri: path, scope: "project", role: "memory", status: "loaded", reason: "", order: null,
    name: "", bytes: 0, tokens: 0, ...more,
  };
}

test("the file that is read comes before one that is not, and that before one that is missing", () => {
  const missing = source("missing", { status: "missing" });
  const shadowed = source("shadowed", { status: "shadowed" });
  const loaded = source("loaded", { order: 1 });
  assert.equal(memoryFile([missing, shadowed, loaded], "project"), loaded);
  assert.equal(memoryFile([missing, shadowed], "project"), shadowed);
  assert.equal(memoryFile([missing], "project"), missing);
});

test("skills, files of the other scope and ignored files are no memory file", () => {
  const others = [
    source("skill", { role: "skill", order: 1 }),
    source("user", { scope: "user", order: 2 }),
    source("ignored", { status: "ignored" }),
  ];
  assert.equal(memoryFile(others, "project"), undefined);
});
