const FILES = ["agent", "AGENTS", "CLAUDE", "SKILL"];
const FOLDERS = [".deepagents", ".drover", ".claude-mpm"];

/**
 * Which files are memory.
 *
 * Chosen by pattern and not by language: editors give these files different language ids
 * (`markdown`, `skill`, `instructions`, `chatagent`, `prompt`) in different versions.
 */
export const PATTERNS: readonly string[] = [
  `**/{${FILES.join(",")}}.md`,
  ...FOLDERS.map((folder) => `**/${folder}/**/*.md`),
];

export const SELECTOR = PATTERNS.map((pattern) => ({ scheme: "file", pattern }));

/** What the server is sent as open documents: memory, and settings before they are saved. */
export const SYNCED = [...SELECTOR, { scheme: "file", pattern: "**/.deepagents/agent-memory.toml" }];

/**
 * A workspace that holds one of these has memory. The manifest's `workspaceContains` events name
 * the same places, so that an editor without memory never loads the extension.
 */
export const MEMORY_IN_WORKSPACE = `{${PATTERNS.join(",")}}`;

/** The names in a folder of the workspace that tell of memory without a search. */
export const MEMORY_AT_TOP: ReadonlySet<string> = new Set([...FILES.map((file) => `${file}.md`), ...FOLDERS]);
