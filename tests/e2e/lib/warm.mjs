// Fills the caches of a Chromium profile, which each journey copies. Chromium caches compiled scripts
// by address, so all journeys have the same one. Called by `run`.
import fs from "node:fs";
import { copyCaches, openBrowser, ORIGIN } from "./browser.mjs";
import { freePort, startCodeServer } from "./code-server.mjs";
import { WARM_PROFILE } from "./paths.mjs";
import { PROJECT } from "./project.mjs";
import { createSandbox } from "./sandbox.mjs";
import { Workbench } from "./workbench.mjs";

/** Chromium caches responses at the first load, and compiled scripts at the second. */
const LOADS = 2;

fs.rmSync(WARM_PROFILE, { recursive: true, force: true });
const sandbox = createSandbox(PROJECT);
try {
  const port = await freePort();
  const server = await startCodeServer(sandbox, port, { trust: false });
  try {
    const { page, close } = await openBrowser(sandbox, port);
    const vscode = new Workbench(page, sandbox, ORIGIN);
    for (let load = 0; load < LOADS; load += 1) {
      await vscode.enter();
      await vscode.open("src/tides.py");
      await vscode.showProblems();
      await vscode.showPreview();
    }
    await close();
  } finally {
    await server.stop();
  }
  copyCaches(sandbox.chromium, WARM_PROFILE);
} finally {
  sandbox.remove();
}
