// Runs the suite inside the extension host, in two editors at a time: every command, setting, view and
// provider.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test, { describe } from "node:test";
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
  // The client library does not wait with a close for the change just before it (sendNotification).
  /ignored 'textDocument\/didChange': the document is not open/,
  /Every location the runtime reads is taken|Cannot (move|open)/,
];

/** Compares what was used; part of every run of the whole suite. */
const COVERAGE = "coverage";

/** The names of the files of each part; only those that the variable SUITE names, if it is set. */
function partsOf() {
  if (process.env.SUITE) {
    return [process.env.SUITE.split(",")];
  }
  const files = fs.readdirSync(path.join(here, "suite")).filter((name) => name.endsWith(".test.js"));
  const names = files.filter((name) => !name.startsWith(COVERAGE));
  const isFirst = (name) => name < "providers";
  const parts = [names.filter(isFirst), names.filter((name) => !isFirst(name))];
  return parts.map((part) => [...part, COVERAGE]);
}

/** Run the files whose names start with `names`: their results, the complaints, and what was not used. */
async function run(names) {
  const { report, errors, complaints, unused } = await runInExtensionHost({
    suite: path.join(here, "suite"),
    names,
    extensions: ["suite", "companion", "python-stub"].map((name) => path.join(here, name)),
    options: { ...PROJECT, settings: { ...PROJECT.settings, ...SETTINGS } },
  });
  const isUnexpected = (text) => !EXPECTED.some((pattern) => pattern.test(text));
  const unexpected = [
    ...errors.filter(isUnexpected).map((text) => `in the browser's console: ${text}`),
    ...complaints.filter(isUnexpected).map((text) => `in the logs: ${text}`),
  ];
  assert.ok(report.tests.length > 0, "the suite ran");
  assert.deepEqual(report.pending, []);
  return { results: [...report.passes, ...report.failures], unexpected, unused };
}

const unusedByPart = [];

describe("in the extension host", { concurrency: true }, () => {
  for (const names of partsOf()) {
    test(names.join(", "), { timeout: 960_000 }, async (context) => {
      const { results, unexpected, unused } = await run(names);
      for (const { fullTitle, err } of results) {
        // Mocha ran it; here it is only counted and shown.
        await context.test(fullTitle, () => {
          if (err.stack) {
            throw Object.assign(new Error(err.message), { stack: err.stack });
          }
        });
      }
      await context.test(`no complaints of ${names[0]}`, () => assert.deepEqual(unexpected, []));
      unusedByPart.push(unused);
    });
  }
});

test("every command, setting, view, link and provider is used", () => {
  assert.equal(unusedByPart.length, partsOf().length, "a part has failed, so nothing is compared");
  const [first, ...others] = unusedByPart;
  assert.deepEqual(first.filter((item) => others.every((unused) => unused.includes(item))), []);
});
