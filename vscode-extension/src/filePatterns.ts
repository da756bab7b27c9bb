const FILES = ["agent", "AGENTS", "AGENTS.override", "CLAUDE", "CLAUDE.local", "copilot-instructions", "GEMINI", "QWEN", "QWEN.local", "SKILL"];
const FOLDERS = [".deepagents", ".drover", ".claude-mpm", ".claude/rules", ".github/instructions", ".qwen/rules", ".clinerules", ".cline/rules"];

/**
 * The glob patterns of memory files.
 *
 * Not language ids: these differ between editor versions (`markdown`, `skill`, `instructions`,
 * `chatagent`, `prompt`).
 */
export const PATTERNS: readonly string[] = [
  `**/{${FILES.join(",")}}.md`,
  ...FOLDERS.map((folder) => `**/${folder}/**/*.md`),
];

export const SELECTOR = PATTERNS.map((pattern) => ({ scheme: "file", pattern }));

/** The documents that are synchronized with the server: memory and unsaved settings. */
export const SYNCED = [...SELECTOR, { scheme: "file", pattern: "**/.deepagents/agent-memory.toml" }];

const FOLDER_OF: Readonly<Record<string, string>> = { "copilot-instructions": ".github/" };

/**
 * Paths in a workspace folder that indicate memory. The manifest's
 * `workspaceContains` events are the same: names without `*` need no file search. Memory in lower
 * folders is found when a Markdown file is opened.
 */
export const MEMORY_PATHS: ReadonlySet<string> = new Set([
  ...FOLDERS,
  ...FILES.map((file) => `${FOLDER_OF[file] ?? ""}${file}.md`),
]);
