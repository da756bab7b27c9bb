// Tests lib/logs.mjs: our complaints are found, records about others are not.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import test from "node:test";
import { complaints } from "../lib/logs.mjs";

const at = "2026-01-02 03:04:05.678";
const stack = "\tat x (/e/extensions/agent-memory.agent-memory-0.1.0/dist/extension.js:1:2)";

test("our complaints are found in all logs", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "agent-memory-logs-"));
  const write = (name, ...lines) => {
    const file = path.join(folder, "exthost1", name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, lines.join("\n"));
  };
  try {
    write(
      "remoteexthost.log",
      `${at} [info] ExtensionService#_doActivateExtension agent-memory.agent-memory`,
      `${at} [error] Error: nobody caught it`,
      stack,
      `${at} [error] Error: somebody else's`,
      "\tat y (/e/extensions/other/dist/extension.js:1:2)",
      `${at} [warning] [agent-memory.agent-memory] no resource`,
      `${at} [warning] [vscode.markdown-math] no resource`,
    );
    write("Agent Memory.log", `${at} [info] Python`, `${at} [error] Traceback of the server`, "");
    write("Agent Memory Trace.log", `${at} [info] Sending`, "");
    assert.deepEqual(complaints(folder).map((record) => record.split("\n")[0].slice(at.length + 1)).sort(), [
      "[error] Error: nobody caught it",
      "[error] Traceback of the server",
      "[warning] [agent-memory.agent-memory] no resource",
    ]);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
});
