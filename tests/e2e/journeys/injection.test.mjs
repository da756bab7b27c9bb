// Untrusted memory: markup, scripts and command links are shown as text and do nothing.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";

const ATTACK = `# <script>document.body.dataset.attacked = "1"</script>

- <img src=x onerror="document.body.dataset.attacked = 1">
- <a href="command:workbench.action.terminal.new">click</a>
- [click](command:workbench.action.terminal.new)
- </div></section><h1 id="attack">big</h1><style>body { display: none }</style>
- &lt;b&gt; stays as it is, and so does \${__filename}
`;
const options = {
  ...PROJECT,
  workspace: {
    ".deepagents/agent.md": ATTACK,
    ".deepagents/skills/<img src=x>/SKILL.md":
      '---\nname: "<img src=x onerror=alert(1)>"\ndescription: "<b>bold</b>"\n---\n',
  },
};

journey("injection", "markup in memory is shown as text", options, async (here) => {
  const { vscode, sandbox, shot } = here;
  await vscode.enter();
  await vscode.trust();
  await vscode.open(".deepagents/agent.md");
  await vscode.showPreview();
  await shot("1-panel");
  assert.equal(await vscode.panelText(), sandbox.agentMemory("prompt"));
  const body = vscode.panel.locator("body");
  assert.equal(await body.getAttribute("data-attacked"), null);
  assert.equal(await vscode.panel.locator("#prompt :is(img, a, script, style, #attack)").count(), 0);
});
