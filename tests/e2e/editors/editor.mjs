// What both editors are put through: the documented set-up attaches, shows what the command line
// finds, and remembers a line in project memory.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { AGENT_MEMORY, ROOT } from "../lib/paths.mjs";
import { makeWorld } from "../lib/world.mjs";

const HIDDEN = "\u200b";
// Characters of one to four bytes stand before what is found, so that a wrong unit shows.
const MEMORY = `# Tides

## Lessons

- Naïve 潮 🌊 forecasts${HIDDEN} ignore the wind
- Heights are metres
- Heights are metres
`;

/**
 * Run `command` with `setup` (below docs/editors) in a world of its own.
 *
 * `columns` turns a line and a column in UTF-16 units into what the editor counts.
 */
export function checkEditor({ command, setup, columns }) {
  const world = makeWorld({
    workspace: {
      ".deepagents/agent.md": MEMORY,
      "notes.txt": "At neap tide the gauge lags.\nSecond line.\n",
    },
  });
  try {
    const result = path.join(world.root, "result.json");
    execFileSync(command[0], command.slice(1), {
      cwd: world.workspace,
      env: {
        ...world.env,
        PATH: [path.dirname(AGENT_MEMORY), world.path].join(path.delimiter),
        SETUP: path.join(ROOT, "docs", "editors", setup),
        CHOOSE: "[Pp]roject",
        RESULT: result,
      },
      stdio: "pipe",
      timeout: 60_000,
    });
    const { diagnostics, offered } = JSON.parse(fs.readFileSync(result, "utf8"));
    compare(world, diagnostics, columns, MEMORY);
    assert.ok(offered.some((title) => /project memory/i.test(title)), `offered: ${offered}`);
    assert.match(world.read(".deepagents/agent.md"), /^- At neap tide the gauge lags$/m);
    assert.ok(world.read(".deepagents/agent.md").startsWith(MEMORY), "what stood there is kept");
  } finally {
    world.remove();
  }
}

function compare(world, diagnostics, columns, text) {
  const lines = text.split("\n");
  const report = JSON.parse(world.agentMemory("check", "--format", "json", "--fail-on", "never"));
  const expected = report.findings
    .filter((finding) => finding.path === world.at(".deepagents/agent.md"))
    .map(({ code, range: { start } }) => [
      start.line,
      columns(lines[start.line].slice(0, start.character)),
      code,
    ]);
  const shown = diagnostics.map(({ line, column, code }) => [line, column, code]);
  assert.ok(expected.length > 0, "the memory has findings");
  assert.deepEqual(shown.sort(), expected.sort());
}
