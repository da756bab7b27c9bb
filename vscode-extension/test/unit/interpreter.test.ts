import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { after, before, test } from "node:test";
import type { InterpreterOptions } from "../../src/interpreter";
import { findInterpreter, isRecent, NoInterpreterError, probePython } from "../../src/interpreter";

let folder = "";
const restore = process.env.PATH;

before(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "interpreters-"));
});
after(() => {
  process.env.PATH = restore;
  rmSync(folder, { recursive: true });
});

/** A program that answers the version check like a Python of that version. */
function fakePython(name: string, version: readonly number[], more = ""): string {
  const file = path.join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${more}echo '["${name}", ${version.join(", ")}]'\n`);
  chmodSync(file, 0o755);
  return file;
}

function options(more: Partial<InterpreterOptions>): InterpreterOptions {
  return { setting: "", pythonExtension: () => Promise.resolve(undefined), platform: "linux", ...more };
}

test("the setting comes before everything else", async () => {
  const own = fakePython("own", [3, 12, 1]);
  const other = fakePython("other", [3, 13, 0]);
  const found = await findInterpreter(
    options({ setting: own, pythonExtension: () => Promise.resolve(other) }),
  );
  assert.deepEqual(found, { command: own, origin: "setting", version: [3, 12, 1] });
});

test("the interpreter of the Python extension comes before the PATH", async () => {
  const chosen = fakePython("chosen", [3, 11, 0]);
  const found = await findInterpreter(options({ pythonExtension: () => Promise.resolve(chosen) }));
  assert.equal(found.origin, "python-extension");
});

test("PATH is used if the Python extension's interpreter is too old", async () => {
  const old = fakePython("old", [3, 10, 14]);
  fakePython("python3", [3, 14, 0]);
  process.env.PATH = folder;
  const found = await findInterpreter(options({ pythonExtension: () => Promise.resolve(old) }));
  process.env.PATH = restore;
  assert.deepEqual(found, { command: "python3", origin: "path", version: [3, 14, 0] });
});

test("an outdated interpreter in the setting is reported and not replaced", async () => {
  const old = fakePython("ancient", [3, 9, 2]);
  await assert.rejects(findInterpreter(options({ setting: old })), (error) => {
    assert.ok(error instanceof NoInterpreterError);
    assert.deepEqual(error.tried.map((item) => item.reason), ["Python 3.9.2 is too old"]);
    return true;
  });
});

test("the error without an interpreter on the PATH names the candidates", async () => {
  process.env.PATH = path.join(folder, "nothing-here");
  await assert.rejects(findInterpreter(options({})), /python3: not found; python: not found/);
  process.env.PATH = restore;
});

test("on Windows the launcher is tried too", async () => {
  process.env.PATH = path.join(folder, "nothing-here");
  await assert.rejects(findInterpreter(options({ platform: "win32" })), /python: .*py: .*python3: /);
  process.env.PATH = restore;
});

test("a program that is not Python, one that fails and a folder are rejected", async () => {
  const chatty = path.join(folder, "chatty");
  writeFileSync(chatty, "#!/bin/sh\necho hello\n");
  chmodSync(chatty, 0o755);
  const broken = fakePython("broken", [3, 12, 0], "exit 3\n");
  assert.deepEqual(await probePython(chatty), {
    ok: false,
    reason: "not a Python interpreter",
  });
  assert.deepEqual(await probePython(broken), { ok: false, reason: "it does not start" });
  assert.deepEqual(await probePython(folder), { ok: false, reason: "not an executable file" });
});

test("the Python of this machine is accepted", async () => {
  const answer = await probePython("python3");
  assert.ok(answer.ok);
  assert.equal(answer.version[0], 3);
});

test("3.11 is the minimum version", () => {
  assert.equal(isRecent([3, 10, 99]), false);
  assert.equal(isRecent([3, 11, 0]), true);
  assert.equal(isRecent([4, 0, 0]), true);
  assert.equal(isRecent([2, 7, 18]), false);
});
