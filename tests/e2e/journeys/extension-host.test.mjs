// Every command, setting, view and provider, from inside the extension host.
import assert from "node:assert/strict";
import path from "node:path";
import test from "node:test";
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

test("in the extension host", { timeout: 480_000 }, async (context) => {
  const { report, errors, complaints } = await runInExtensionHost({
    suite: path.join(here, "suite"),
    extensions: ["suite", "companion", "python"].map((name) => path.join(here, name)),
    options: PROJECT,
  });
  // Mocha ran them; here they are only counted and shown. A hook that failed is no test of mocha's.
  const titles = new Set(report.tests.map(({ fullTitle }) => fullTitle));
  const hooks = report.failures.filter(({ fullTitle }) => !titles.has(fullTitle));
  for (const { fullTitle, err } of [...report.tests, ...hooks]) {
    await context.test(fullTitle, () => assert.deepEqual(err, {}));
  }
  assert.ok(report.tests.length > 0, "the suite ran");
  assert.deepEqual(report.pending, []);
  const isUnexpected = (text) => !PROVOKED.some((pattern) => pattern.test(text));
  assert.deepEqual(errors.filter(isUnexpected), [], "errors in the browser's console");
  assert.deepEqual(complaints.filter(isUnexpected), [], "complaints in the logs");
});
