// The README images: a project as most people have it, read by a real Claude Code. Check them in
// .cache/shots/pictures, then copy them to docs/images.
import { journey } from "../lib/journey.mjs";
import { example } from "../lib/project.mjs";
import { generateToken } from "../lib/secrets.mjs";

const { workspace } = example();
const MEMORY = "CLAUDE.md";
const options = {
  agents: ["claude-code"],
  workspace: {
    ...Object.fromEntries(Object.entries(workspace).filter(([name]) => /^(src\/|Makefile)/.test(name))),
    "AGENTS.md": workspace["AGENTS.md"],
    [MEMORY]: `# Tide tables service

@AGENTS.md

## Conventions

- Python 3.12, type hints everywhere, \`ruff\` for layout.
- Times are UTC inside; a zone only at the edge, in \`src/tides.py\`.
- Run \`make check\` before a commit and \`make publish\` after a release.
- Times are UTC inside; a zone only at the edge, in \`src/tides.py\`.

## Deployment

- The gauge's account: token ${generateToken()}

## Lessons

- The printed tables round half to even; the JSON does not.
- A prediction is never\u200b cached for longer than its constants.
`,
    ".claude/rules/python.md": "---\npaths: 'src/**/*.py'\n---\n\n- Heights are metres above chart datum.\n",
    ".claude/skills/release/SKILL.md":
      "---\nname: release\ndescription: Prepares a release. Use it for a new version.\n---\n\n1. Tag the commit.\n",
  },
  home: { ".claude/CLAUDE.md": "# How I work\n\n- Short answers\n" },
  viewport: { width: 1280, height: 860 },
  settings: {
    "workbench.colorTheme": "Dark Modern",
    "workbench.activityBar.location": "hidden",
    "breadcrumbs.enabled": false,
    "editor.lineNumbers": "on",
    "editor.wordWrap": "on",
  },
};

journey("pictures", "the README images", options, async (here) => {
  const { vscode, page, shot } = here;
  await vscode.enter();
  await vscode.trust();
  await vscode.open("src/tides.py");
  await vscode.selectLines(27);
  await vscode.contextMenu("The gauge is read", ["Remember This", "In Project Memory"], () =>
    shot("remember"),
  );
  await vscode.saveItem();
  await vscode.notification("Added to Project Memory").waitFor();
  await vscode.command("Notifications: Clear All Notifications");
  await vscode.command("View: Close All Editors");

  await vscode.command("View: Close Primary Side Bar");
  await vscode.open(MEMORY);
  await vscode.squiggle("error").waitFor();
  await vscode.showPreview();
  await vscode.panel.locator("#badge", { hasText: "exact · claude-code" }).waitFor();
  await vscode.panel.getByText("The gauge is read at the full hour").waitFor();
  await vscode.foldTemplates();
  await page.mouse.move(640, 845);
  await page.waitForTimeout(500);
  await shot("preview");
});
