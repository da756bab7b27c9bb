// The preview is compared with what the installed agent, a real Codex, sends. The first picture is
// docs/images/verify.png.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";

const PROJECT = {
  agents: ["codex"],
  workspace: {
    "AGENTS.md": "# Tide tables\n\n- Times are UTC inside; a zone only at the edge\n",
    "CLAUDE.md": "@AGENTS.md\n",
  },
  home: { ".codex/AGENTS.md": "- Short answers\n" },
  viewport: { width: 1000, height: 560 },
  settings: { "breadcrumbs.enabled": false },
};

journey("verify", "the preview is compared with the installed agent", PROJECT, async (here) => {
  const { vscode, sandbox, shot } = here;
  await vscode.enter();
  await vscode.trust();
  await vscode.open("AGENTS.md");
  await vscode.showPreview();
  const badge = vscode.panel.locator("#badge");
  await badge.filter({ hasText: "exact · codex" }).waitFor();
  await vscode.foldTemplates();
  const verify = vscode.panel.getByRole("button", { name: "Verify with the Agent" });
  await verify.click();
  const question = vscode.dialog("Start Codex");
  await question.waitFor();
  await shot("1-consent");
  await question.getByRole("button", { name: "Start and Compare" }).click();
  await vscode.notification("sends exactly what the preview shows").waitFor();
  await shot("2-equal");
  assert.ok(!sandbox.exists("~/.codex/config.toml"), "the home is not written to");
});
