// The server is killed: it comes back by itself, and on command.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { servers } from "../lib/processes.mjs";
import { HIDDEN_LINE, PROJECT } from "../lib/project.mjs";
import { until } from "../lib/world.mjs";

// What is on its way to a server that is killed is lost, and the client says so.
const options = { ...PROJECT, expectedErrors: /connection|server|closed|stream/i };

journey("restart", "the server comes back after it is killed", options, async (here) => {
  const { vscode, page, world, shot } = here;
  await vscode.enter();
  await vscode.trust();
  await vscode.open(".deepagents/agent.md", HIDDEN_LINE);
  await vscode.squiggle("error").waitFor();
  const [first] = servers(world);
  process.kill(first, "SIGKILL");
  const second = await until("another server runs", () =>
    servers(world).find((pid) => pid !== first),
  );

  // It knows what is open and answers to what is typed.
  await vscode.goTo(HIDDEN_LINE - 1);
  await page.keyboard.press("End");
  await vscode.type("\u200b");
  await vscode.showProblems();
  await until("the new finding", async () =>
    (await page.locator(".markers-panel .monaco-list-row", { hasText: "AM107" }).count()) === 2,
  );
  await shot("1-came-back");

  await vscode.command("Agent Memory: Restart Server");
  await until("a third server runs", () => servers(world).some((pid) => pid !== second));
  await until("the second has ended", () => !servers(world).includes(second));
  await vscode.squiggle("error").waitFor();
  assert.equal(servers(world).length, 1);

  // It goes away again and again: that is said, and a button starts it anew.
  for (let times = 0; times < 5; times += 1) {
    const [pid] = await until("a server runs", () => servers(world).length > 0 && servers(world));
    await page.waitForTimeout(2_500); // it has answered; one that dies before is another case
    process.kill(pid, "SIGKILL");
    await until("it has ended", () => !servers(world).includes(pid));
  }
  await vscode.notification("stopped again and again").waitFor();
  await page.locator('.statusbar-item[aria-label*="does not run"]').first().waitFor();
  await shot("2-given-up");
  await vscode.notification("stopped again and again").getByText("Restart Server").click();
  await until("a server runs", () => servers(world).length === 1);
  await vscode.squiggle("error").waitFor();
});
