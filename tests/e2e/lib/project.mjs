// The project that most journeys walk through.
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

/** Where the invisible character of the memory stands, both from 1. */
export const HIDDEN_LINE = 12;
export const HIDDEN_COLUMN = 34;
