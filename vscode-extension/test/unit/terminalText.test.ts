import assert from "node:assert/strict";
import { test } from "node:test";
import { terminalText } from "../../src/remember/terminalText";

test("a line loses its prompt", () => {
  assert.equal(terminalText("$ make lint  \n"), "make lint");
  assert.equal(terminalText("me@host:~/project$ make lint"), "make lint");
  assert.equal(terminalText("Set $HOME first"), "Set $HOME first");
  assert.equal(terminalText("costs 5 $ a day"), "costs 5 $ a day");
});

test("several lines are a code block that ends after them", () => {
  assert.equal(terminalText("make\r\n  ok\r\n"), "```text\nmake\n  ok\n```");
  assert.equal(terminalText("```\nx"), "````text\n```\nx\n````");
});
