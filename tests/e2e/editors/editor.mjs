// The checks for both editors: the documented configuration attaches, shows the findings of the
// command line, and remembers a line in project memory.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { AGENT_MEMORY, ROOT } from "../lib/paths.mjs";
import { createSandbox } from "../lib/sandbox.mjs";

const HIDDEN = "\u200b";
// Characters of one to four bytes precede the finding, to detect wrong units.
const MEMORY = `# Tides

## Lessons

- Naïve 潮 🌊 forecasts${HIDDEN} ignore the wind
- Heights are metres
- Heights are metres
`;

/**
 * Run `command` with `setup` (in docs/editors) in its own sandbox.
 *
 * `columns` returns the editor's column for the text before a position.
 */
export function checkEditor({ command, setup, columns }) {
  const sandbox = createSandbox({
    workspace: {
      ".deepagents/agent.md": MEMORY,
      "notes.txt": "At neap tide the gauge lags.\nSecond line.\n",
    },
  });
  try {
    const result = path.join(sandbox.root, "result.json");
    execFileSync(command[0], command.slice(1), {
      cwd: sandbox.workspace,
      env: {
        ...sandbox.env,
        PATH: [path.dirname(AGENT_MEMORY), sandbox.path].join(path.delimiter),
        SETUP: path.join(ROOT, "docs", "editors", setup),
        CHOOSE: "[Pp]roject",
        RESULT: result,
      },
      stdio: "pipe",
      timeout: 60_000,
    });
    const { diagnostics, offered } = JSON.parse(fs.readFileSync(result, "utf8"));
    compare(sandbox, diagnostics, columns, MEMORY);
    assert.ok(offered.some((title) => /project memory/i.test(title)), `offered: ${offered}`);
    assert.match(sandbox.read(".deepagents/agent.md"), /^- At neap tide the gauge lags$/m);
    assert.ok(sandbox.read(".deepagents/agent.md").startsWith(MEMORY), "existing text is kept");
  } finally {
    sandbox.remove();
  }
}

function compare(sandbox, diagnostics, columns, text) {
  const lines = text.split("\n");
  const report = JSON.parse(sandbox.agentMemory("check", "--format", "json", "--fail-on", "never"));
  const expected = report.findings
    .filter((finding) => finding.path === sandbox.at(".deepagents/agent.md"))
    .map(({ code, range: { start } }) => [
      start.line,
      columns(lines[start.line].slice(0, start.character)),
      code,
    ]);
  const shown = diagnostics.map(({ line, column, code }) => [line, column, code]);
  assert.ok(expected.length > 0, "the memory has findings");
  assert.deepEqual(shown.sort(), expected.sort());
}
