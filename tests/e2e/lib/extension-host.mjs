// Runs a mocha suite inside code-server's extension host, like VS Code's browser integration tests.
import fs from "node:fs";
import path from "node:path";
import { openBrowser, ORIGIN } from "./browser.mjs";
import { freePort, startCodeServer } from "./code-server.mjs";
import { develop } from "./development-extensions.mjs";
import { complaints } from "./logs.mjs";
import { PYTHON_WITH_MCP } from "./paths.mjs";
import { serveDriver } from "./workbench-driver.mjs";
import { Workbench } from "./workbench.mjs";
import { createSandbox } from "./sandbox.mjs";

const TIMEOUT_MS = 900_000;

/** Shorter than the timeout of a test, so that nothing is clicked after its end. */
const ACTION_TIMEOUT_MS = 40_000;

/**
 * Run the files of the folder `suite` (its index.js exports `run`) whose names start with one of
 * `names`, with the additional `extensions`. Returns mocha's JSON report, console errors, complaints,
 * and what no test has used.
 */
export async function runInExtensionHost({ suite, names, extensions, options }) {
  const sandbox = createSandbox(options);
  const report = path.join(sandbox.root, "mocha.json");
  const variables = { MOCHA_REPORT: report, SANDBOX_HOME: sandbox.home, SANDBOX_ROOT: sandbox.workspace, PYTHON_WITH_MCP, SUITE: names.join(",") };
  sandbox.variables = variables;
  let server;
  let browser;
  let driver;
  try {
    const port = await freePort();
    browser = await openBrowser(sandbox, port);
    const { page } = browser;
    page.setDefaultTimeout(ACTION_TIMEOUT_MS);
    driver = await serveDriver(new Workbench(page, sandbox));
    variables.DRIVER = driver.address;
    variables.LOGS = path.join(sandbox.data, "user", "logs");
    server = await startCodeServer(sandbox, port, { ...options, trust: false });
    const logged = [];
    await page.exposeFunction("codeAutomationLog", (type, args) => logged.push(args.join(" ")));
    const done = new Promise((resolve) => page.exposeFunction("codeAutomationExit", resolve));
    await develop(page, ORIGIN, { extensions, suite });
    const folder = encodeURIComponent(sandbox.workspace);
    await page.goto(`${ORIGIN}/?folder=${folder}`, { timeout: 60_000 });
    const timeout = new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS, "timeout").unref());
    const code = await Promise.race([done, timeout]);
    if (!fs.existsSync(report)) {
      const progress = `${report}.progress`;
      const steps = fs.existsSync(progress) ? fs.readFileSync(progress, "utf8") : "";
      throw new Error(`no report of the suite (${code}):\n${steps}${logged.join("\n")}`);
    }
    return {
      report: JSON.parse(fs.readFileSync(report, "utf8")),
      errors: browser.errors,
      complaints: complaints(server.logs),
      unused: fs.existsSync(`${report}.unused`) ? fs.readFileSync(`${report}.unused`, "utf8").trim().split("\n") : [],
    };
  } finally {
    driver?.close();
    await browser?.close();
    await server?.stop();
    sandbox.remove();
  }
}
