// Every command, setting, view and provider, from inside the extension host.
import assert from "node:assert/strict";
import path from "node:path";
import test from "node:test";
import { twice } from "../lib/attempts.mjs";
import { runInExtensionHost } from "../lib/extension-host.mjs";
import { PROJECT } from "../lib/project.mjs";

const here = path.join(import.meta.dirname, "..", "extension-host");

/** What the tests of the suite provoke on purpose. */
const PROVOKED = [
  /unknown runtime 'nonesuch'/,
  /\/nowhere\/python: not found/, // in our log, and as the notification the editor repeats in the console
  /the gauge is under water/,
  /the environments cannot be listed/,
  /the thread that watches files had ended; it is started again/, // folders go away under it
  /Unable to move\/copy .* already exists at destination/, // the editor's words for a refused move
  /There is no free place|could not be moved|could not be opened/,
];

/** Run the suite; rejects where a test of it failed or something was complained of. */
async function run() {
  const { report, errors, complaints } = await runInExtensionHost({
    suite: path.join(here, "suite"),
    extensions: ["suite", "companion", "python"].map((name) => path.join(here, name)),
    options: PROJECT,
  });
  const isUnexpected = (text) => !PROVOKED.some((pattern) => pattern.test(text));
  assert.deepEqual(report.failures.map(({ fullTitle, err }) => `${fullTitle}: ${err.stack}`), []);
  assert.ok(report.tests.length > 0, "the suite ran");
  assert.deepEqual(report.pending, []);
  assert.deepEqual(errors.filter(isUnexpected), [], "errors in the browser's console");
  assert.deepEqual(complaints.filter(isUnexpected), [], "complaints in the logs");
  return report;
}

test("in the extension host", { timeout: 960_000 }, async (context) => {
  const { tests } = await twice(context, run);
  for (const { fullTitle, currentRetry } of tests) {
    // Mocha ran them; here they are only counted and shown.
    await context.test(fullTitle, (each) => {
      if (currentRetry > 0) {
        each.diagnostic("SECOND ATTEMPT");
      }
    });
  }
});
