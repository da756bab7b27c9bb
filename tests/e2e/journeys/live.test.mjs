// The preview follows unsaved edits and changes by other programs.
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";

const MEMORY = ".deepagents/agent.md";

journey("live", "the preview follows typing and an atomic write", PROJECT, async (here) => {
  const { vscode, page, sandbox, shot } = here;
  await vscode.enter();
  await vscode.trust();
  await vscode.open(MEMORY);
  await vscode.showPreview();
  await vscode.panel.getByText("The printed tables round half to even").waitFor();

  await vscode.line("round half to even").click();
  await page.keyboard.press("End");
  await vscode.type(", and nobody minds");
  await vscode.panel.getByText("half to even, and nobody minds").waitFor();
  await shot("1-typed");
  await vscode.save();
  await vscode.panel.getByText("Saved at").waitFor();
  // A change within three seconds after a save is attributed to that save.
  await page.waitForTimeout(3_500);

  const text = sandbox.read(MEMORY);
  sandbox.writeAtomically(MEMORY, text.replace("Heights are metres", "Depths are fathoms"));
  await vscode.panel.getByText("Depths are fathoms").first().waitFor();
  await vscode.panel.getByText("by another program").waitFor();
  await vscode.line("Depths are fathoms").waitFor();
  await shot("2-written-by-another-program");

  sandbox.writeAtomically("~/.deepagents/agent/agent.md", "# How I work\n\n- Long answers\n");
  await vscode.panel.getByText("Long answers").waitFor();
});
