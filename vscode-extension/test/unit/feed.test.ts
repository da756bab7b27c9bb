import assert from "node:assert/strict";
import { test } from "node:test";
import { PromptFeed, whole } from "../../src/preview/feed";
import type { NewsParams, PromptNews } from "../../src/protocol";

function news(patch: Partial<PromptNews["patch"]>, units: number[]): PromptNews {
  const segments = units.map((length) => ({
    kind: "user" as const, label: "", path: null, uri: null, startLine: null, endLine: null,
    bytes: 0, tokens: 0, units: length,
  }));
  return {
    runtime: "r", title: "R", runtimeReason: "", agent: "a", agentReason: "", version: "",
    exactness: "exact", origin: "", masked: false, hash: "h", bytes: 0, tokens: 0, budget: 0,
    sources: [], problems: [], root: null, runtimes: [], agents: [], state: "s", segments,
    patch: { id: "new", base: "", at: 0, removed: 0, text: "", ...patch },
  };
}

/** A feed whose server answers what is prepared; `asked` fills with the questions. */
function feed(...answers: (PromptNews | undefined)[]) {
  const asked: string[] = [];
  const request = (_type: unknown, params: unknown) => {
    asked.push((params as NewsParams).since);
    return Promise.resolve(answers.shift() as never);
  };
  return { feed: new PromptFeed({ request }), asked };
}

test("a patch makes the text and its segments, counted as JavaScript counts", () => {
  const shown = whole(news({ at: 3, removed: 1, text: "\u{1f30a}!" }, [4, 3]), "a\nbcd\n");
  assert.equal(shown.text, "a\nb\u{1f30a}!d\n");
  assert.deepEqual(shown.segments.map(({ text }) => text), ["a\nb\ud83c", "\udf0a!d"]);
  assert.equal("patch" in shown, false);
});

test("it asks for what is new since what it has", async () => {
  const { feed: prompts, asked } = feed(
    news({ id: "1", text: "one\n" }, [4]),
    news({ id: "2", base: "1", at: 3, text: "!" }, [5]),
  );
  assert.equal((await prompts.ask({}))?.text, "one\n");
  assert.equal((await prompts.ask({}))?.text, "one!\n");
  assert.deepEqual(asked, ["", "1"]);
});

test("a server that was started anew tells the whole text", async () => {
  const { feed: prompts, asked } = feed(
    news({ id: "1", text: "old" }, [3]),
    undefined,
    news({ id: "2", base: "", text: "new" }, [3]),
  );
  await prompts.ask({});
  assert.equal(await prompts.ask({}), undefined);
  assert.equal((await prompts.ask({}))?.text, "new");
  assert.deepEqual(asked, ["", "1", "1"]);
});
