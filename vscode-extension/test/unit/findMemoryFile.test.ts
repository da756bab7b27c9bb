import assert from "node:assert/strict";
import { test } from "node:test";
import { findMemoryFile } from "../../src/findMemoryFile";
import type { Source } from "../../src/protocol";

function source(path: string, more: Partial<Source>): Source {
  return {
    path, uri: path, scope: "project", role: "memory", status: "loaded", reason: "", order: null,
    name: "", bytes: 0, tokens: 0, ...more,
  };
}

test("a loaded file is preferred to an unread one, an unread one to a missing one", () => {
  const missing = source("missing", { status: "missing" });
  const shadowed = source("shadowed", { status: "shadowed" });
  const loaded = source("loaded", { order: 1 });
  assert.equal(findMemoryFile([missing, shadowed, loaded], "project"), loaded);
  assert.equal(findMemoryFile([missing, shadowed], "project"), shadowed);
  assert.equal(findMemoryFile([missing], "project"), missing);
});

test("skills, files of another scope and ignored files are not memory files", () => {
  const others = [
    source("skill", { role: "skill", order: 1 }),
    source("user", { scope: "user", order: 2 }),
    source("ignored", { status: "ignored" }),
  ];
  assert.equal(findMemoryFile(others, "project"), undefined);
});
