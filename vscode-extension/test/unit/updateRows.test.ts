import assert from "node:assert/strict";
import { test } from "node:test";
import type { SourceGroup, SourceItem } from "../../src/views/sourceItems";
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

test("rows that differ are not updated in place", () => {
  const shown = [group(file("a"))];
  assert.equal(updateRows(shown, [group(file("b", "other"))]), undefined);
  assert.equal(updateRows(shown, [group(file("a", "new"), file("b"))]), undefined);
  assert.equal(updateRows([], shown), undefined);
  assert.equal(shown[0]?.items[0]?.description, "");
});

test("equal rows have no changes", () => {
  assert.deepEqual(updateRows([group(file("a"))], [group(file("a"))]), []);
});
