// Every command, setting, view and provider, from inside the extension host.
import assert from "node:assert/strict";
import path from "node:path";
import test from "node:test";
import { runInExtensionHost } from "../lib/extension-host.mjs";
import { PROJECT } from "../lib/project.mjs";

const here = path.join(import.meta.dirname, "..", "extension-host");

test("in the extension host", { timeout: 300_000 }, async (context) => {
  const { report, errors } = await runInExtensionHost({
    suite: path.join(here, "suite"),
    extensions: [path.join(here, "suite"), path.join(here, "companion")],
    options: PROJECT,
  });
  for (const result of report.tests) {
    // Mocha ran it; here it is only counted and shown.
    await context.test(result.fullTitle, () => {
      assert.ok(!result.err.message, result.err.stack ?? result.err.message);
    });
  }
  assert.equal(report.stats.passes, report.tests.length, "a hook failed");
  assert.deepEqual(errors, [], "errors in the browser's console");
});
