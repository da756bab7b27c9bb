import assert from "node:assert/strict";
import { test } from "node:test";
import { createApi } from "../../src/api";
import type { LanguageServer } from "../../src/server/server";

function api(answer: unknown) {
  const requests: unknown[] = [];
  const server = {
    request: (_type: unknown, params: unknown) => {
      requests.push(params);
      return Promise.resolve(answer);
    },
    onDidChange: () => ({ dispose: () => undefined }),
  } as unknown as LanguageServer;
  return { api: createApi(server), requests };
}

test("getPrompt passes the requested context", async () => {
  const { api: memory, requests } = api({ text: "block" });
  assert.equal((await memory.getPrompt({ runtime: "drover", saved: true })).text, "block");
  assert.deepEqual(requests, [{ runtime: "drover", saved: true }]);
});

test("another extension cannot reveal secrets", async () => {
  const { api: memory, requests } = api({ text: "block" });
  await memory.getPrompt({ reveal: true } as object);
  assert.deepEqual(requests, [{}]);
});

test("without a server getPrompt rejects with the reason", async () => {
  await assert.rejects(api(undefined).api.getPrompt(), /isn't running/);
});
