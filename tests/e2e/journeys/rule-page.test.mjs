// The code of a finding opens its page inside the editor, without a network.
import { journey } from "../lib/journey.mjs";
import { HIDDEN_LINE, PROJECT } from "../lib/project.mjs";

journey("rule-page", "a finding's page opens without a network", PROJECT, async (here) => {
  const { vscode, page, shot } = here;
  await vscode.enter();
  await vscode.trust();
  await vscode.open(".deepagents/agent.md", HIDDEN_LINE);
  await vscode.squiggle("error").waitFor();
  await vscode.showProblems();
  const link = vscode.problem("AM107").locator("a", { hasText: "AM107" });
  await link.waitFor();
  await shot("1-problem");
  await link.click({ modifiers: ["Control"] });
  const opened = page.locator(".tabs-container .tab.active", { hasText: "AM107" });
  await opened.waitFor();
  const heading = vscode.panel.getByRole("heading", { name: "AM107 hidden-unicode" });
  await heading.waitFor();
  await vscode.command("View: Hide Panel");
  await shot("2-page");
  await vscode.command("View: Close All Editors");

  // In the hover the link is at the text of the rule.
  await vscode.open(".deepagents/agent.md", HIDDEN_LINE);
  await vscode.goTo(HIDDEN_LINE, 34);
  const hover = await vscode.hoverAtCursor();
  await hover.getByText("What it means").click();
  await opened.waitFor();
  await heading.waitFor();
  // The page is there before it is painted: two frames later it is.
  await heading.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await shot("3-from-the-hover");
});
