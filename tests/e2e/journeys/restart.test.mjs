// The server is restarted after a crash and on command.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { servers } from "../lib/processes.mjs";
import { HIDDEN_LINE, PROJECT } from "../lib/project.mjs";
import { until } from "../lib/sandbox.mjs";

// The client reports messages lost with a killed server, also those in flight at that moment: what is
// written to the pipe of a process that has just ended fails with EPIPE.
const LOST = /connection|server|closed|stream|EPIPE|Sending (notification|request) failed|provider FAILED/i;
const options = { ...PROJECT, expectedErrors: LOST };

journey("restart", "the server is restarted after it is killed", options, async (here) => {
  const { vscode, page, sandbox, shot } = here;
  await vscode.enter();
  await vscode.trust();
  await vscode.open(".deepagents/agent.md", HIDDEN_LINE);
  await vscode.squiggle("error").waitFor();
  const [first] = servers(sandbox);
  process.kill(first, "SIGKILL");
  const second = await until("another server runs", () =>
    servers(sandbox).find((pid) => pid !== first),
  );

  // It knows the open documents and follows typing.
  await vscode.goTo(HIDDEN_LINE - 1);
  await page.keyboard.press("End");
  await vscode.type("\u200b");
  await vscode.showProblems();
  await until("the new finding", async () =>
    (await page.locator(".markers-panel .monaco-list-row", { hasText: "AM107" }).count()) === 2,
  );
  await shot("1-restarted");

  await vscode.command("Agent Memory: Restart Server");
  await until("a third server runs", () => servers(sandbox).some((pid) => pid !== second));
  await until("the second has ended", () => !servers(sandbox).includes(second));
  await vscode.squiggle("error").waitFor();
  assert.equal(servers(sandbox).length, 1);

  // After repeated crashes there is a message with a button that restarts it.
  for (let times = 0; times < 5; times += 1) {
    const [pid] = await until("a server runs", () => servers(sandbox).length > 0 && servers(sandbox));
    await page.waitForTimeout(2_500); // until it has answered; a crash during start is another case
    process.kill(pid, "SIGKILL");
    await until("it has ended", () => !servers(sandbox).includes(pid));
  }
  await vscode.notification("keeps crashing").waitFor();
  await page.locator(`.statusbar-item[aria-label*="isn't running"]`).first().waitFor();
  await shot("2-given-up");
  await vscode.notification("keeps crashing").getByText("Restart Server").click();
  await until("a server runs", () => servers(sandbox).length === 1);
  await vscode.squiggle("error").waitFor();
});
