import assert from "node:assert/strict";
import { test } from "node:test";
import { Answers } from "../../src/views/answers";

const answered = (text: string) => () => Promise.resolve(text);

test("an answer is requested once", async () => {
  const answers = new Answers<string>();
  assert.equal(await answers.get("a", answered("first")), "first");
  assert.equal(await answers.get("a", answered("second")), "first");
});

test("an answer that was requested before an invalidation is not stored", async () => {
  const answers = new Answers<string>();
  let answer: (text: string) => void = () => undefined;
  const waiting = answers.get("a", () => new Promise<string>((resolve) => (answer = resolve)));
  assert.ok(answers.invalidate(), "it is dropped");
  answer("stale");
  assert.equal(await waiting, "stale");
  assert.equal(await answers.get("a", answered("current")), "current");
});

test("an invalidation drops stale answers only", async () => {
  const answers = new Answers<string>();
  await answers.get("a", answered("stale"));
  await answers.get("b", answered("current"));
  assert.ok(answers.invalidate((answer) => answer === "stale"));
  assert.equal(answers.invalidate(() => false), false);
  assert.deepEqual(answers.values(), ["current"]);
});

test("no answer is not stored", async () => {
  const answers = new Answers<string>();
  assert.equal(await answers.get("a", () => Promise.resolve(undefined)), undefined);
  assert.equal(answers.size, 0);
});
