import assert from "node:assert/strict";
import { test } from "node:test";
import type { SegmentView } from "../../src/preview/segmentView";
import type { LinePatch } from "../../src/preview/pageUpdates";
import { addedLines, difference, PageUpdates } from "../../src/preview/pageUpdates";

function view(text: string, more: Partial<SegmentView> = {}): SegmentView {
  return {
    kind: "project", message: "", name: "project", path: "agent.md", uri: "file:///agent.md", startLine: 0,
    note: "", text, tokens: 1, marks: [], why: [], truncation: "", ...more,
  };
}

function apply(lines: readonly string[], patch: LinePatch): string[] {
  const { at, removed } = patch;
  return [...lines.slice(0, at), ...addedLines(patch), ...lines.slice(at + removed)];
}

test("the first update is complete", () => {
  const [update] = new PageUpdates().next([view("a\nb\n", { marks: [{ line: 1, severity: "info", message: "m" }] })]);
  assert.deepEqual(update?.lines, { at: 0, removed: 0, added: 2, text: "a\nb" });
  assert.equal(update.endsWithNewline, true);
  assert.equal(update.head?.path, "agent.md");
  assert.equal(update.marks?.length, 1);
  assert.equal("text" in update.head, false);
});

test("unchanged parts are not sent again, unless the page is new", () => {
  const updates = new PageUpdates();
  updates.next([view("a\n")]);
  assert.deepEqual(updates.next([view("a\n")]), [{}]);
  assert.equal(updates.isEmpty, false);
  updates.reset();
  assert.equal(updates.isEmpty, true);
  assert.deepEqual(updates.next([view("a\n")])[0]?.lines?.text, "a");
});

test("a keystroke in 10,000 lines sends its line", () => {
  const lines = Array.from({ length: 10_000 }, (_, line) => `- item ${line}`);
  const updates = new PageUpdates();
  updates.next([view(lines.join("\n"))]);
  const [update] = updates.next([view(lines.with(5_000, "- item!").join("\n"))]);
  assert.deepEqual(update, { lines: { at: 5_000, removed: 1, added: 1, text: "- item!" } });
});

test("removed marks are sent as an empty list", () => {
  const updates = new PageUpdates();
  updates.next([view("a", { marks: [{ line: 0, severity: "info", message: "m" }] })]);
  assert.deepEqual(updates.next([view("a")]), [{ marks: [] }]);
});

test("a segment inserted in front shifts the others, which are sent again", () => {
  const updates = new PageUpdates();
  updates.next([view("a\n")]);
  const next = updates.next([view("<user>\n", { kind: "user" }), view("a\n")]);
  assert.deepEqual(next.map(({ lines }) => lines?.text), ["<user>", "a"]);
});

test("applying a patch to the old lines produces the new lines", () => {
  const letters = ["a", "b", "a", "", "c"];
  let seed = 7;
  const random = (most: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % most;
  };
  const some = () => Array.from({ length: random(8) }, () => letters[random(letters.length)] ?? "");
  for (let turn = 0; turn < 2_000; turn++) {
    const [before, after] = [some(), some()];
    assert.deepEqual(apply(before, difference(before, after)), after);
  }
});
