// The project of most journeys.
import fs from "node:fs";
import path from "node:path";
import { ROOT } from "./paths.mjs";

const MEMORY = `# Tide tables

## Conventions

- Times are UTC inside; a zone only at the edge
- Heights are metres above chart datum
- Heights are metres above chart datum

## Lessons

- The printed tables round half to even
- Never call the forecast service\u200b from a test
`;

const USER = `# How I work

- Short answers
`;

const SOURCE = `"""Tides from harmonic constants."""

# The gauge is read at the full hour, never between.
DATUM = "chart"


def height(mean, waves):
    return round(mean + sum(waves), 2)
`;

export const PROJECT = {
  workspace: { ".deepagents/agent.md": MEMORY, "src/tides.py": SOURCE },
  home: { ".deepagents/agent/agent.md": USER },
};

/** The position of the invisible character in the memory file; both from 1. */
export const HIDDEN_LINE = 12;
export const HIDDEN_COLUMN = 34;

/** The repository's example workspace and home, as used by `make editor`. */
export function example() {
  return {
    workspace: filesOf(path.join(ROOT, "examples", "workspace")),
    home: filesOf(path.join(ROOT, "examples", "home")),
  };
}

function filesOf(folder) {
  const names = fs.readdirSync(folder, { recursive: true });
  const files = names.filter((name) => fs.statSync(path.join(folder, name)).isFile());
  return Object.fromEntries(
    files.map((name) => [name, fs.readFileSync(path.join(folder, name), "utf8")]),
  );
}
