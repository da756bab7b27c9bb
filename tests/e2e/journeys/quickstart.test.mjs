// The five tasks of docs/quickstart.md, each in at most three steps. Check the pictures in
// .cache/shots/quickstart, then copy them to docs/images.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";
import { until } from "../lib/sandbox.mjs";
import { rememberInTerminal } from "../lib/terminal.mjs";

const MEMORY = "CLAUDE.md";
const STALE = "- Rounding is in `src/tide.py`\n";
const options = {
  agents: ["claude-code", "codex"],
  workspace: {
    "src/tides.py": PROJECT.workspace["src/tides.py"],
    [MEMORY]: `@AGENTS.md\n\n## Lessons\n\n${STALE}- The printed tables round half to even\n`,
    "AGENTS.md": "# Tides\n\n- Answer with the height and the time\n",
    "web/AGENTS.md": "# Web\n\n- Colors are variables\n",
  },
  home: { ".claude/CLAUDE.md": "- Short answers\n", ".codex/AGENTS.md": "- Short answers\n" },
  viewport: { width: 1000, height: 620 },
  settings: { "workbench.activityBar.location": "default", "breadcrumbs.enabled": false, "editor.wordWrap": "on" },
};

journey("quickstart", "five first tasks take at most three steps each", options, async (here) => {
  const { vscode, page, sandbox, shot } = here;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await vscode.enter();
  await vscode.trust();
  await vscode.open(MEMORY);
  await vscode.tokens.waitFor();

  // 1. Why is a file not read? One click on the icon, the reason is at the row.
  await page.locator('.activitybar [aria-label^="Agent Memory"]').first().click();
  const unread = page.locator(".sidebar .monaco-list-row", { hasText: "web" }).last();
  await unread.waitFor();
  await unread.hover();
  await page.locator(".monaco-hover:visible", { hasText: /read|instead/ }).first().waitFor();
  await shot("not-read");
  await page.mouse.move(600, 300);
  await vscode.command("View: Close Primary Side Bar");

  // 2. Save a line of the terminal: select, menu, Enter.
  await rememberInTerminal(here, "The gauge drifts in winter");
  await shot("terminal");
  await vscode.saveItem();
  await until("the item is on disk", () => sandbox.read(MEMORY).includes("- The gauge drifts in winter\n"));
  await vscode.command("Notifications: Clear All Notifications");
  await vscode.command("View: Hide Panel");

  // 3. What does Codex get? Select the runtime, the preview follows.
  await vscode.open("AGENTS.md");
  await vscode.command("Agent Memory: Select Runtime");
  await vscode.pick("Codex");
  await vscode.showPreview();
  await vscode.panel.locator("#badge", { hasText: "exact · codex" }).waitFor();
  await vscode.panel.getByText("Answer with the height and the time").waitFor();
  await vscode.foldTemplates();
  await shot("codex");
  await vscode.command("View: Close All Editors");

  // 5. The choice is a setting of the workspace, which the team shares by committing it.
  await until("the setting", () => sandbox.read(".vscode/settings.json").includes('"agentMemory.runtime": "codex"'));
  await vscode.open(".vscode/settings.json");
  await shot("shared");
  await vscode.command("Agent Memory: Select Runtime");
  await vscode.pick("Automatic");

  // 4. Fix a stale path: go to the line, quick fix, Enter.
  await vscode.open(MEMORY);
  await vscode.line("Rounding is in").waitFor();
  const line = sandbox.read(MEMORY).split("\n").indexOf(STALE.trim()) + 1;
  await page.locator(".squiggly-warning").first().waitFor();
  await vscode.goTo(line, 22);
  const fix = await vscode.quickFix("Replace with src/tides.py");
  await shot("stale-path");
  await page.waitForTimeout(150);
  await fix.click();
  await vscode.line("Rounding is in `src/tides.py`").waitFor();
  await vscode.save();
  assert.ok(sandbox.read(MEMORY).includes("- Rounding is in `src/tides.py`\n"));
});
