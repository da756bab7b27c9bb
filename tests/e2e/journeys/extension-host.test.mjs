// Runs the suite inside the extension host: every command, setting, view and provider.
import assert from "node:assert/strict";
import path from "node:path";
import test from "node:test";
import { runInExtensionHost } from "../lib/extension-host.mjs";
import { PROJECT } from "../lib/project.mjs";

const here = path.join(import.meta.dirname, "..", "extension-host");

/** A test must not end while the editor still saves what a rename changed. */
const SETTINGS = { "files.refactoring.autoSave": false };

/** Errors that the suite causes on purpose. */
const EXPECTED = [
  /unknown runtime 'nonesuch'/,
  /\/nowhere\/python: not found|wasn't found: \/nowhere\/python/, // in our log, and in the console, which repeats notifications
  /the gauge is under water/,
  /the environments cannot be listed/,
  /the thread that watches files has ended; starting it again/, // folders are deleted
  /Unable to move\/copy .* already exists at destination/, // the editor's message for a refused move
  /Every location the runtime reads is taken|Cannot (move|open)/,
];

/** Run the suite; rejects if a test failed or there were complaints. */
async function run() {
  const { report, errors, complaints } = await runInExtensionHost({
    suite: path.join(here, "suite"),
    extensions: ["suite", "companion", "python-stub"].map((name) => path.join(here, name)),
    options: { ...PROJECT, settings: { ...PROJECT.settings, ...SETTINGS } },
  });
  const isUnexpected = (text) => !EXPECTED.some((pattern) => pattern.test(text));
  assert.deepEqual(report.failures.map(({ fullTitle, err }) => `${fullTitle}: ${err.stack}`), []);
  assert.ok(report.tests.length > 0, "the suite ran");
  assert.deepEqual(report.pending, []);
  assert.deepEqual(errors.filter(isUnexpected), [], "errors in the browser's console");
  assert.deepEqual(complaints.filter(isUnexpected), [], "complaints in the logs");
  return report;
}

test("in the extension host", { timeout: 960_000 }, async (context) => {
  const { tests } = await run();
  for (const { fullTitle } of tests) {
    await context.test(fullTitle, () => {}); // Mocha ran it; here it is only counted and shown.
  }
});
