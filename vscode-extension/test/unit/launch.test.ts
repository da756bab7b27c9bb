import assert from "node:assert/strict";
import * as path from "node:path";
import { test } from "node:test";
import { RestartLimiter } from "../../src/server/restartLimiter";
import { launch } from "../../src/server/launch";

test("the bundled server runs without the packages of the interpreter", () => {
  const { command, args } = launch("py", "/ext", "useBundled");
  assert.equal(command, "py");
  assert.deepEqual(args, [
    "-I", "-S", "-X", "utf8", path.join("/ext", "bundled", "launch.py"), "useBundled", "serve",
  ]);
});

test("the environment's server needs the packages of the interpreter", () => {
  assert.equal(launch("py", "/ext", "fromEnvironment").args.includes("-S"), false);
});

test("the server is restarted after four crashes in three minutes, not after the fifth", () => {
  const limiter = new RestartLimiter();
  assert.deepEqual([0, 1, 2, 3, 4].map((time) => limiter.mayRestart(time)), [true, true, true, true, false]);
  assert.equal(limiter.mayRestart(4 * 60_000), true, "old crashes are forgotten");
  limiter.reset();
  assert.equal(limiter.mayRestart(5 * 60_000), true);
});
