import assert from "node:assert/strict";
import { test } from "node:test";
import type { Source, Sources } from "../../src/protocol";
import { HiddenSources } from "../../src/views/hiddenSources";
import type { ItemOptions } from "../../src/views/sourceItems";
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
    runtimes: [], runtimesNote: "", agents: [], sources, files: [], complete: true,
  };
}

const OPTIONS: ItemOptions = {
  prefix: "",
  locale: "en",
  shorten: (path) => path,
  problems: () => 0,
  isHidden: () => false,
};

test("loaded files come first, in load order, then those read on demand, unread and missing files", () => {
  const groups = sourceGroups(
    known(
      source("missing", { status: "missing" }),
      source("second", { order: 2 }),
      source("hidden", { status: "shadowed" }),
      source("skill/SKILL.md", { role: "skill", status: "listed", name: "deploy" }),
      source("note", { role: "note", status: "listed", order: 3 }),
      source("old/SKILL.md", { role: "skill", status: "shadowed", name: "old" }),
      source("first", { order: 1, scope: "user" }),
    ),
    OPTIONS,
  );
  assert.deepEqual(
    groups.map((group) => [group.id, group.items.map((item) => item.label)]),
    [
      ["loaded", ["first", "second"]],
      ["on-demand", ["note", "deploy"]],
      ["unread", ["hidden", "old"]],
      ["missing", ["missing"]],
    ],
  );
});

test("a file named twice has two rows with different ids", () => {
  const [group] = sourceGroups(known(source("a", { order: 1 }), source("a", { order: 2 })), OPTIONS);
  const ids = group?.items.map((item) => item.id) ?? [];
  assert.equal(new Set(ids).size, 2);
});

test("a row is the file's name, its tokens and its folder; the rest is in the tooltip", () => {
  const file = source("docs/agent.md", { order: 1, tokens: 1204, reason: "the file is first" });
  const [group] = sourceGroups(known(file), { ...OPTIONS, problems: () => 2 });
  const [row] = group?.items ?? [];
  assert.equal(row?.label, "agent.md");
  assert.equal(row.description, "1,204 tok · docs");
  assert.deepEqual(row.tooltip, [
    "docs/agent.md", "project memory", "loaded 1st", "1,204 tokens", "the file is first", "2 problems",
  ]);
});

test("the spoken text of a row makes sense alone", () => {
  const row = (path: string, more: Partial<Source>) => sourceGroups(known(source(path, more)), OPTIONS)[0]?.items[0]?.spoken;
  assert.equal(row("docs/agent.md", { order: 2, tokens: 1 }), "agent.md, project memory, loaded 2nd, 1 token, docs");
  assert.equal(
    row("skills/deploy/SKILL.md", { role: "skill", name: "deploy", status: "listed" }),
    "deploy, skill, project memory, listed, skills/deploy",
  );
  assert.equal(
    row("agent.md", { status: "shadowed", reason: "another is read" }),
    "agent.md, project memory, not read, another is read",
  );
});

test("an unread file can be moved only to a free location of its scope", () => {
  const groups = sourceGroups(
    known(
      source("old", { status: "shadowed" }),
      source("mine", { status: "ignored", scope: "user" }),
      source("free", { status: "missing" }),
    ),
    OPTIONS,
  );
  const unread = groups.find((group) => group.id === "unread")?.items ?? [];
  assert.deepEqual(
    unread.map((item) => [item.label, item.moveTo?.path]),
    [["old", "free"], ["mine", undefined]],
  );
});

test("known files that are no sources are listed as not read, with reason and action", () => {
  const file = {
    path: "CLAUDE.md", uri: "file:///CLAUDE.md", scope: "project", bytes: 9, tokens: 3, madeFor: "Claude Code",
    outcome: "not-read" as const, reason: "Codex looks for AGENTS.md.",
    action: { message: "Add the line `@CLAUDE.md`", kind: "open" as const, uri: "file:///AGENTS.md" },
  };
  const all = { ...known(source("a", { order: 1 })), files: [file, { ...file, path: "a", uri: "file:///a" }] };
  const [loaded, unread] = sourceGroups(all, OPTIONS);
  assert.deepEqual([loaded?.items.length, unread?.id, unread?.items.length], [1, "unread", 1]);
  const [row] = unread?.items ?? [];
  assert.equal(row?.label, "CLAUDE.md");
  assert.equal(row.action?.kind, "open");
  assert.deepEqual(row.tooltip.slice(2), [
    "not read", "3 tokens", "Codex looks for AGENTS.md. Made for Claude Code.", "Add the line `@CLAUDE.md`",
  ]);
});

test("unreadable and truncated files have the error icon", () => {
  const icons = (["unreadable", "truncated", "missing"] as const).map(
    (status) => sourceGroups(known(source("a", { status })), OPTIONS)[0]?.items[0]?.icon,
  );
  assert.deepEqual(icons, ["error", "error", "circle-large-outline"]);
});

test("hidden files are omitted until they are shown again", async () => {
  const stored = new Map<string, unknown>();
  const hidden = new HiddenSources({
    get: <T>(key: string, defaultValue: T) => (stored.has(key) ? (stored.get(key) as T) : defaultValue),
    update: (key, value) => {
      if (value === undefined) {
        stored.delete(key);
      } else {
        stored.set(key, value);
      }
      return Promise.resolve();
    },
  });
  const shown = () =>
    sourceGroups(known(source("a", { order: 1 }), source("b", { order: 2 })), {
      ...OPTIONS,
      isHidden: (uri) => hidden.has(uri),
    }).flatMap((group) => group.items.map((item) => item.label));
  await hidden.add("file:///a");
  await hidden.add("file:///a");
  assert.deepEqual(shown(), ["b"]);
  await hidden.clear();
  assert.deepEqual(shown(), ["a", "b"]);
});
