import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { after, before, test } from "node:test";
import type { Wishes } from "../../src/interpreter";
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

/** A program that answers the question for its version as a Python of that version would. */
function fakePython(name: string, version: readonly number[], more = ""): string {
  const file = path.join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${more}echo '["${name}", ${version.join(", ")}]'\n`);
  chmodSync(file, 0o755);
  return file;
}

function wishes(more: Partial<Wishes>): Wishes {
  return { setting: "", pythonExtension: () => Promise.resolve(undefined), platform: "linux", ...more };
}

test("the setting comes before everything else", async () => {
  const own = fakePython("own", [3, 12, 1]);
  const other = fakePython("other", [3, 13, 0]);
  const found = await findInterpreter(
    wishes({ setting: own, pythonExtension: () => Promise.resolve(other) }),
  );
  assert.deepEqual(found, { command: own, origin: "setting", version: [3, 12, 1] });
});

test("the interpreter of the Python extension comes before the PATH", async () => {
  const chosen = fakePython("chosen", [3, 11, 0]);
  const found = await findInterpreter(wishes({ pythonExtension: () => Promise.resolve(chosen) }));
  assert.equal(found.origin, "python-extension");
});

test("a too old interpreter of the Python extension is passed over for one on the PATH", async () => {
  const old = fakePython("old", [3, 10, 14]);
  fakePython("python3", [3, 14, 0]);
  process.env.PATH = folder;
  const found = await findInterpreter(wishes({ pythonExtension: () => Promise.resolve(old) }));
  process.env.PATH = restore;
  assert.deepEqual(found, { command: "python3", origin: "path", version: [3, 14, 0] });
});

test("a set interpreter that is too old is reported and not replaced", async () => {
  const old = fakePython("ancient", [3, 9, 2]);
  await assert.rejects(findInterpreter(wishes({ setting: old })), (error) => {
    assert.ok(error instanceof NoInterpreterError);
    assert.deepEqual(error.tried.map((item) => item.reason), ["Python 3.9.2 is too old"]);
    return true;
  });
});

test("nothing on the PATH is an error that names what was tried", async () => {
  process.env.PATH = path.join(folder, "nothing-here");
  await assert.rejects(findInterpreter(wishes({})), /python3: not found; python: not found/);
  process.env.PATH = restore;
});

test("on Windows the launcher is tried too", async () => {
  process.env.PATH = path.join(folder, "nothing-here");
  await assert.rejects(findInterpreter(wishes({ platform: "win32" })), /python: .*py: .*python3: /);
  process.env.PATH = restore;
});

test("a program that is no Python, one that fails and a folder are told apart from a Python", async () => {
  const chatty = path.join(folder, "chatty");
  writeFileSync(chatty, "#!/bin/sh\necho hello\n");
  chmodSync(chatty, 0o755);
  const broken = fakePython("broken", [3, 12, 0], "exit 3\n");
  assert.deepEqual(await probePython(chatty), {
    ok: false,
    reason: "it does not answer like a Python interpreter",
  });
  assert.deepEqual(await probePython(broken), { ok: false, reason: "it does not run" });
  assert.deepEqual(await probePython(folder), { ok: false, reason: "not an executable file" });
});

test("the real Python of this machine is understood", async () => {
  const answer = await probePython("python3");
  assert.ok(answer.ok);
  assert.equal(answer.version[0], 3);
});

test("3.11 is the first that is recent enough", () => {
  assert.equal(isRecent([3, 10, 99]), false);
  assert.equal(isRecent([3, 11, 0]), true);
  assert.equal(isRecent([4, 0, 0]), true);
  assert.equal(isRecent([2, 7, 18]), false);
});
