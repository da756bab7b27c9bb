import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { after, test } from "node:test";
import { pythonCandidates, usablePythons } from "../../src/pythonCandidates";

const root = mkdtempSync(path.join(os.tmpdir(), "pythons-"));
const at = (...parts: string[]): string => path.join(root, ...parts);
after(() => {
  rmSync(root, { recursive: true });
});

mkdirSync(at("usr", "bin"), { recursive: true });
mkdirSync(at("project", ".venv", "bin"), { recursive: true });
writeFileSync(at("usr", "bin", "python3.12"), "");
symlinkSync("python3.12", at("usr", "bin", "python3"));
writeFileSync(at("project", ".venv", "pyvenv.cfg"), "");
symlinkSync(at("usr", "bin", "python3.12"), at("project", ".venv", "bin", "python"));
symlinkSync("python", at("project", ".venv", "bin", "python3"));

test("an interpreter with several names is listed once, an environment separately", () => {
  const found = pythonCandidates(`relative${path.delimiter}${at("usr", "bin")}`, [at("project")], [at("gone"), at("project", ".venv", "bin", "python3")], "linux");
  assert.deepEqual(found, [at("project", ".venv", "bin", "python"), at("usr", "bin", "python3")]);
});

test("only usable interpreters are offered, with their version", async () => {
  const answers: Record<string, [number, number, number]> = { new: [3, 13, 1], wrapper: [3, 13, 1], old: [3, 9, 2] };
  const found = await usablePythons(["broken", "old", "new", "wrapper"], (command) => {
    const version = answers[command];
    return Promise.resolve(
      version ? { ok: true, version, executable: "/usr/bin/new" } : { ok: false, reason: "not found" },
    );
  });
  assert.deepEqual(found, [{ command: "new", version: "3.13.1" }]);
});
