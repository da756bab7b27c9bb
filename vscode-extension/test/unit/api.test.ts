import assert from "node:assert/strict";
import { test } from "node:test";
import { makeApi } from "../../src/api";
import type { LanguageServer } from "../../src/server/server";

function api(answer: unknown) {
  const asked: unknown[] = [];
  const server = {
    request: (_type: unknown, params: unknown) => {
      asked.push(params);
      return Promise.resolve(answer);
    },
    onDidChange: () => ({ dispose: () => undefined }),
  } as unknown as LanguageServer;
  return { api: makeApi(server), asked };
}

test("another extension gets the prompt of the place it names", async () => {
  const { api: memory, asked } = api({ text: "block" });
  assert.equal((await memory.getPrompt({ runtime: "drover", saved: true })).text, "block");
  assert.deepEqual(asked, [{ runtime: "drover", saved: true }]);
});

test("another extension cannot have secrets revealed", async () => {
  const { api: memory, asked } = api({ text: "block" });
  await memory.getPrompt({ reveal: true } as object);
  assert.deepEqual(asked, [{}]);
});

test("without a server the reason is said", async () => {
  await assert.rejects(api(undefined).api.getPrompt(), /does not run/);
});
