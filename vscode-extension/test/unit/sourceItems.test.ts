import assert from "node:assert/strict";
import { test } from "node:test";
import type { Source, Sources } from "../../src/protocol";
import { Ignored } from "../../src/views/ignored";
import type { Around } from "../../src/views/sourceItems";
import { sourceGroups } from "../../src/views/sourceItems";

function source(path: string, more: Partial<Source> = {}): Source {
  return {
    path, uri: `file:///${path}`, scope: "project", role: "memory", status: "loaded", reason: "",
    order: null, name: "", bytes: 0, tokens: 0, ...more,
  };
}

function known(...sources: Source[]): Sources {
  return {
    runtime: "r", title: "R", runtimeReason: "", agent: "a", agentReason: "", root: null, state: "s",
    runtimes: [], agents: [], sources,
  };
}

const AROUND: Around = {
  locale: "en",
  shorten: (path) => path,
  problems: () => 0,
  ignored: () => false,
};

test("read files come first and in load order; skills, unread and missing files follow", () => {
  const groups = sourceGroups(
    known(
      source("missing", { status: "missing" }),
      source("second", { order: 2 }),
      source("hidden", { status: "shadowed" }),
      source("skill", { role: "skill", status: "listed", name: "deploy" }),
      source("first", { order: 1, scope: "user" }),
    ),
    AROUND,
  );
  assert.deepEqual(
    groups.map((group) => [group.id, group.items.map((item) => item.label)]),
    [
      ["loaded", ["first", "second"]],
      ["skills", ["deploy"]],
      ["unread", ["hidden"]],
      ["missing", ["missing"]],
    ],
  );
});

test("a file that is named twice is two rows that can be told apart", () => {
  const [group] = sourceGroups(known(source("a", { order: 1 }), source("a", { order: 2 })), AROUND);
  const ids = group?.items.map((item) => item.id) ?? [];
  assert.equal(new Set(ids).size, 2);
});

test("a file says its place, its tokens and its problems", () => {
  const [group] = sourceGroups(known(source("a", { order: 1, tokens: 1204 })), {
    ...AROUND,
    problems: () => 2,
  });
  assert.equal(group?.items[0]?.description, "1st · 1,204 tokens · 2 problems");
  assert.equal(group.items[0].icon, "warning");
});

test("a file that is not read can be moved to the free place of its scope, and only there", () => {
  const groups = sourceGroups(
    known(
      source("old", { status: "shadowed" }),
      source("mine", { status: "ignored", scope: "user" }),
      source("free", { status: "missing" }),
    ),
    AROUND,
  );
  const unread = groups.find((group) => group.id === "unread")?.items ?? [];
  assert.deepEqual(
    unread.map((item) => [item.label, item.moveTo?.path]),
    [["old", "free"], ["mine", undefined]],
  );
});

test("an unreadable or cut file looks like an error", () => {
  const icons = (["unreadable", "truncated", "missing"] as const).map(
    (status) => sourceGroups(known(source("a", { status })), AROUND)[0]?.items[0]?.icon,
  );
  assert.deepEqual(icons, ["error", "error", "circle-large-outline"]);
});

test("ignored files are left out until they are shown again", async () => {
  const kept = new Map<string, unknown>();
  const ignored = new Ignored({
    get: <T>(key: string, otherwise: T) => (kept.has(key) ? (kept.get(key) as T) : otherwise),
    update: (key, value) => {
      if (value === undefined) {
        kept.delete(key);
      } else {
        kept.set(key, value);
      }
      return Promise.resolve();
    },
  });
  const shown = () =>
    sourceGroups(known(source("a", { order: 1 }), source("b", { order: 2 })), {
      ...AROUND,
      ignored: (uri) => ignored.has(uri),
    }).flatMap((group) => group.items.map((item) => item.label));
  await ignored.add("file:///a");
  await ignored.add("file:///a");
  assert.deepEqual(shown(), ["b"]);
  await ignored.clear();
  assert.deepEqual(shown(), ["a", "b"]);
});
