import assert from "node:assert/strict";
import { test } from "node:test";
import { draftOf, textOf } from "../../src/remember/draft";

test("a single bullet is a line to edit", () => {
  assert.deepEqual(draftOf("- Use tabs"), { kind: "line", text: "Use tabs" });
});

test("bullets and steps are lists", () => {
  assert.deepEqual(draftOf("- One\n- Two"), { kind: "list", items: ["One", "Two"], numbered: false });
  assert.deepEqual(draftOf("1. One\n2. Two"), { kind: "list", items: ["One", "Two"], numbered: true });
});

test("anything else is a block", () => {
  assert.deepEqual(draftOf("```sh\n- make\n```"), { kind: "block", lines: ["```sh", "- make", "```"] });
});

test("a changed list is the text of a list again", () => {
  assert.equal(textOf(["One", "Three"], true), "1. One\n2. Three");
  assert.equal(textOf(["One", "Three"], false), "- One\n- Three");
  assert.equal(textOf(["Three"], true), "- Three");
});
