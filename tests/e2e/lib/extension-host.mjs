// Runs a mocha suite inside the extension host of code-server, as VS Code's own browser
// integration tests do.
import fs from "node:fs";
import path from "node:path";
import { openBrowser } from "./browser.mjs";
import { startCodeServer } from "./code-server.mjs";
import { develop } from "./development.mjs";
import { complaints } from "./logs.mjs";
import { PYTHON_WITH_MCP } from "./paths.mjs";
import { servePerson } from "./person.mjs";
import { Workbench } from "./workbench.mjs";
import { makeWorld } from "./world.mjs";

const LIMIT = 400_000;

/** Less than a test of the suite has, so that nothing is clicked when its test is over. */
const PATIENCE = 12_000;

/**
 * Run the suite at `suite` (a folder whose index.js exports `run`) with the extensions in
 * `extensions` loaded beside the VSIX. Returns mocha's JSON report and what was logged.
 */
export async function runInExtensionHost({ suite, extensions, options }) {
  const world = makeWorld(options);
  const report = path.join(world.root, "mocha.json");
  const variables = { MOCHA_REPORT: report, WORLD_HOME: world.home, WORLD_ROOT: world.workspace, PYTHON_WITH_MCP, SUITE: process.env.SUITE ?? "" };
  world.variables = variables;
  let server;
  let browser;
  let person;
  try {
    browser = await openBrowser(world);
    const { page } = browser;
    page.setDefaultTimeout(PATIENCE);
    person = await servePerson(new Workbench(page, world));
    variables.PERSON = person.address;
    variables.LOGS = path.join(world.data, "user", "logs");
    server = await startCodeServer(world, { ...options, trust: false });
    const logged = [];
    await page.exposeFunction("codeAutomationLog", (type, args) => logged.push(args.join(" ")));
    const done = new Promise((resolve) => page.exposeFunction("codeAutomationExit", resolve));
    await develop(page, server.origin, { extensions, suite });
    const folder = encodeURIComponent(world.workspace);
    await page.goto(`${server.origin}/?folder=${folder}`);
    const late = new Promise((resolve) => setTimeout(resolve, LIMIT, "late").unref());
    const code = await Promise.race([done, late]);
    if (!fs.existsSync(report)) {
      const progress = `${report}.progress`;
      const steps = fs.existsSync(progress) ? fs.readFileSync(progress, "utf8") : "";
      throw new Error(`no report of the suite (${code}):\n${steps}${logged.join("\n")}`);
    }
    return {
      report: JSON.parse(fs.readFileSync(report, "utf8")),
      errors: browser.errors,
      complaints: complaints(server.logs),
    };
  } finally {
    person?.close();
    await browser?.close();
    await server?.stop();
    world.remove();
  }
}
