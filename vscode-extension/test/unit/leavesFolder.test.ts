import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { after, before, test } from "node:test";
import { leavesFolder } from "../../src/leavesFolder";

let base = "";

before(() => {
  base = realpathSync(mkdtempSync(path.join(os.tmpdir(), "links-")));
  for (const name of ["ws/.deepagents", "out", "home"]) {
    mkdirSync(path.join(base, name), { recursive: true });
  }
  writeFileSync(path.join(base, "ws", "CLAUDE.md"), "");
  symlinkSync("../out", path.join(base, "ws", "linked"));
  symlinkSync("../../out/new/file", path.join(base, "ws", ".deepagents", "agent.md"));
  symlinkSync("CLAUDE.md", path.join(base, "ws", "AGENTS.md"));
  symlinkSync("ws", path.join(base, "link-to-ws"));
});
after(() => {
  rmSync(base, { recursive: true });
});

const skip = process.platform === "win32" ? "symlinks need rights on Windows" : false;
const leaves = (name: string): boolean => leavesFolder(path.join(base, name), [path.join(base, "ws")]);

test("a link that leads out or is broken leaves the folder", { skip }, () => {
  assert.ok(leaves("ws/linked/agent.md"));
  assert.ok(leaves("ws/linked/new/agent.md"));
  assert.ok(leaves("ws/.deepagents/agent.md"));
});

test("files, missing files and links inside stay", { skip }, () => {
  assert.ok(!leaves("ws/.deepagents/AGENTS.md"));
  assert.ok(!leaves("ws/new/folder/agent.md"));
  assert.ok(!leaves("ws/AGENTS.md"));
  assert.ok(!leavesFolder(path.join(base, "link-to-ws", "new.md"), [path.join(base, "link-to-ws")]));
});

test("a folder that is a link itself is compared by its real path", { skip }, () => {
  assert.ok(leavesFolder(path.join(base, "ws", "linked", "new.md"), [path.join(base, "link-to-ws")]));
});

test("a file outside of the folders is the user's choice", () => {
  assert.ok(!leaves("home/agent.md"));
});
