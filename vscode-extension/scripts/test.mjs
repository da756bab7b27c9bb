// Runs the unit tests. If RESULTS is set, a JUnit report is written to that folder.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const out = path.join(here, "out", "test");
const results = process.env.RESULTS;
const reporters = results
  ? ["junit", path.join(results, "extension.xml"), "dot", "stdout"]
  : ["spec", "stdout"];
const flags = reporters.map((value, index) =>
  index % 2 === 0 ? `--test-reporter=${value}` : `--test-reporter-destination=${value}`,
);
const files = readdirSync(out)
  .filter((name) => name.endsWith(".test.js"))
  .map((name) => path.join(out, name));
const { status } = spawnSync(process.execPath, ["--test", "--test-concurrency=2", ...flags, ...files], {
  stdio: "inherit",
});
process.exit(status ?? 1);
