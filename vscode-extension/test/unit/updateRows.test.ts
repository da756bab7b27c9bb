import assert from "node:assert/strict";
import { test } from "node:test";
import type { SourceGroup, SourceItem } from "../../src/views/sourceItems";
import type { FolderNode } from "../../src/views/updateRows";
import { updateRows } from "../../src/views/updateRows";

const file = (id: string, description = "") => ({ id, description, source: { uri: id } }) as unknown as SourceItem;
const group = (...items: SourceItem[]): SourceGroup => ({ id: "loaded", key: "loaded", label: "Loaded", items });

test("a changed file keeps its row", () => {
  const shown = [group(file("a"), file("b"))];
  const second = shown[0]?.items[1];
  const changed = updateRows(shown, [group(file("a"), file("b", "2 problems"))]);
  assert.deepEqual(changed, [second]);
  assert.equal(second?.description, "2 problems");
});

test("other rows are those of their group only", () => {
  const shown = [group(file("a"))];
  assert.deepEqual(updateRows(shown, [group(file("a", "new"), file("b"))]), [shown[0]]);
  assert.deepEqual(shown[0]?.items.map(({ id }) => id), ["a", "b"]);
});

test("of two folders with equal rows only the changed one is refreshed", () => {
  const folder = (id: string, ...groups: SourceGroup[]): FolderNode => ({ id, label: id, description: "Codex", groups });
  const [first, second] = [folder("1", group(file("a"))), folder("2", group(file("a")))];
  const shown = [first, second];
  const item = second.groups[0]?.items[0];
  assert.deepEqual(updateRows(shown, [folder("1", group(file("a"))), folder("2", group(file("a", "1 problem")))]), [item]);
  assert.deepEqual(updateRows(shown, [folder("1", group(file("a"))), folder("2")]), [second]);
  assert.deepEqual(second.groups, []);
  assert.deepEqual(updateRows(shown, [{ ...folder("1", group(file("a"))), description: "Gemini CLI" }, folder("2")]), [first]);
  assert.equal(first.description, "Gemini CLI");
});

test("other rows at the root are not updated in place", () => {
  const shown = [group(file("a"))];
  assert.equal(updateRows([], shown), undefined);
  assert.equal(updateRows(shown, [...shown, { ...group(file("b")), key: "other" }]), undefined);
  assert.equal(shown[0]?.items[0]?.description, "");
});

test("equal rows have no changes", () => {
  assert.deepEqual(updateRows([group(file("a"))], [group(file("a"))]), []);
});
