// The README images: a project as most people have it, read by a real Claude Code. Check them in
// .cache/shots/pictures, then copy them to docs/images.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { animation } from "../lib/animation.mjs";
import { journey } from "../lib/journey.mjs";
import { SHOTS } from "../lib/paths.mjs";
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

/** A README is loaded on slow connections, too. */
const MAX_BYTES = 500_000;

journey("pictures", "the README images", options, async (here) => {
  const { vscode, page, shot } = here;
  const frames = [];
  const frame = async (ms) => {
    await page.mouse.move(640, 845);
    await page.waitForTimeout(500);
    frames.push({ png: await page.screenshot({ caret: "hide" }), ms });
  };
  await vscode.enter();
  await vscode.trust();
  await vscode.command("View: Close Primary Side Bar");
  await vscode.open("src/tides.py");
  await vscode.selectLines(27);
  await frame(1_500);
  await vscode.contextMenu("The gauge is read", ["Remember This", "In Project Memory"], async () => {
    await page.waitForTimeout(300);
    frames.push({ png: await shot("remember"), ms: 2_000 });
  });
  await page.locator(".quick-input-title", { hasText: "Save to" }).waitFor();
  await frame(2_500);
  await vscode.saveItem();
  await vscode.notification("Added to Project Memory").waitFor();
  await frame(2_000);
  await vscode.command("Notifications: Clear All Notifications");
  await vscode.command("View: Close All Editors");

  await vscode.open(MEMORY);
  await vscode.squiggle("error").waitFor();
  await frame(2_000);
  await vscode.showPreview();
  await vscode.panel.locator("#badge", { hasText: "exact · claude-code" }).waitFor();
  await vscode.panel.getByText("The gauge is read at the full hour").waitFor();
  await vscode.foldTemplates();
  await frame(3_000);
  await shot("preview");
  await vscode.focusLine("round half to even");
  await page.keyboard.press("End");
  await vscode.type(" Use half up in both.");
  await vscode.panel.getByText("Use half up in both").waitFor();
  await frame(4_000);
  await checkAnimation(page, animation(frames), frames.length);
});

/** Write the animation if it is small and the browser plays all its frames. */
async function checkAnimation(page, data, count) {
  fs.writeFileSync(path.join(SHOTS, "pictures", "tour.png"), data);
  assert.ok(data.length < MAX_BYTES, `${data.length} bytes`);
  const played = await page.evaluate(async (text) => {
    const bytes = Uint8Array.from(window.atob(text), (letter) => letter.charCodeAt(0));
    const decoder = new window.ImageDecoder({ data: bytes, type: "image/png" });
    await decoder.tracks.ready;
    const { frameCount } = decoder.tracks.selectedTrack;
    await decoder.decode({ frameIndex: frameCount - 1 });
    return frameCount;
  }, data.toString("base64"));
  assert.equal(played, count);
}
