import assert from "node:assert/strict";
import { test } from "node:test";
import { PromptRefresher } from "../../src/preview/promptRefresher";

for (const outcome of ["an answer", "an error"]) {
  test(`${outcome} after the panel was closed is dropped`, async () => {
    const calls: string[] = [];
    let finish: () => void = () => undefined;
    const request = () =>
      new Promise<undefined>((resolve, reject) => {
        finish = () => {
          if (outcome === "an error") {
            reject(new Error("the request was canceled"));
          } else {
            resolve(undefined);
          }
        };
      });
    const refresher = new PromptRefresher(
      { request },
      {
        params: () => ({}),
        isShown: () => calls.push("isShown") > 0,
        onPrompt: () => calls.push("onPrompt"),
        onError: () => calls.push("onError"),
      },
    );
    const done = refresher.refresh();
    await refresher.refresh(); // to be repeated after the answer
    refresher.dispose();
    finish();
    await done;
    assert.deepEqual(calls, ["isShown"]);
  });
}
