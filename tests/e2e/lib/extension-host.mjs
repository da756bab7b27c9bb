// Runs a mocha suite inside the extension host of code-server, as VS Code's own browser
// integration tests do.
import fs from "node:fs";
import path from "node:path";
import { openBrowser } from "./browser.mjs";
import { startCodeServer } from "./code-server.mjs";
import { develop } from "./development.mjs";
import { makeWorld } from "./world.mjs";

const LIMIT = 240_000;

/**
 * Run the suite at `suite` (a folder whose index.js exports `run`) with the extensions in
 * `extensions` loaded beside the VSIX. Returns mocha's JSON report and what was logged.
 */
export async function runInExtensionHost({ suite, extensions, options }) {
  const world = makeWorld(options);
  const report = path.join(world.root, "mocha.json");
  const variables = { MOCHA_REPORT: report, WORLD_HOME: world.home, WORLD_ROOT: world.workspace };
  world.variables = variables;
  let server;
  let browser;
  try {
    server = await startCodeServer(world, { ...options, trust: false });
    browser = await openBrowser(world);
    const { page } = browser;
    const logged = [];
    await page.exposeFunction("codeAutomationLog", (type, args) => logged.push(args.join(" ")));
    const done = new Promise((resolve) => page.exposeFunction("codeAutomationExit", resolve));
    await develop(page, server.origin, { extensions, suite });
    const folder = encodeURIComponent(world.workspace);
    await page.goto(`${server.origin}/?folder=${folder}`);
    const late = new Promise((resolve) => setTimeout(resolve, LIMIT, "late").unref());
    const code = await Promise.race([done, late]);
    if (!fs.existsSync(report)) {
      throw new Error(`no report of the suite (${code}):\n${logged.join("\n")}`);
    }
    return { report: JSON.parse(fs.readFileSync(report, "utf8")), errors: browser.errors };
  } finally {
    await browser?.close();
    await server?.stop();
    world.remove();
  }
}
