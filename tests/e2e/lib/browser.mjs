// Headless Chromium, restricted to code-server, that records the page's errors.
import fs from "node:fs";
import path from "node:path";
import { chromium } from "playwright-core";
import { CHROMIUM, WARM_PROFILE } from "./paths.mjs";

const HOST = "vscode.localhost";
/** The same for all ports: Chromium caches scripts and their compiled code by URL. */
export const ORIGIN = `http://${HOST}`;
/** The parts of a profile that contain no state of a page: responses and compiled scripts. */
const CACHES = ["Cache", "Code Cache"];

const QUIET = [
  "--headless",
  "--no-sandbox",
  // Frames are drawn without GL: its emulation in software once stopped delivering frames.
  "--disable-gpu",
  "--disable-software-rasterizer",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
  `--disable-features=${[
    // With this, Chromium compiles large scripts again instead of using the cached code.
    "BackgroundResourceFetch",
    // A process that prepares the pop-up of the address bar, which nothing here opens.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    // Of Playwright's list, which this one replaces, what concerns a page on loopback.
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "OptimizationHints",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
  ]}`,
];

/** Console messages of the workbench itself, such as about unreachable services. */
const NOT_OURS = [
  /net::ERR_NAME_NOT_RESOLVED/, // external requests
  /127\.0\.0\.1:9\b/, // the missing gallery
  /ERR_CONNECTION_REFUSED/,
  /Failed to load resource/,
  /extension ['`]vscode\./i, // VS Code's built-in extensions
  /ERR color: #f33 Canceled: Canceled/, // the editor's own requests, on a busy machine
  /ERR color: #f33 \w+: \w+ is disposed!\s+at \S+ \(\S+\/workbench\.js:/, // closed while it is loaded
  /ERR color: #f33 Failed to resolve files at location: .* Canceled: Canceled/, // its search for prompt files
  /ERR color: #f33 Request \d+ timed out/,
  /Aborted onWillSaveTextDocument-event/, // on a busy machine; we do not handle this event
  // The previous workbench, when another is opened in its place.
  /Long running operations during shutdown/,
  /IndexedDB database '.*' is closed/,
  /authentication provider 'github'/, // a built-in extension that code-server omits
  /\/vscode\/extensions\/copilot\//, // a bundled extension that fails to load some minutes after the start
  // The editor reveals the selected row of a view whose rows it is replacing.
  /TreeError \[agentMemory\.\w+\] Data tree node not found/,
  // The editor runs the command of a row that it has just updated; the click is lost.
  /Actual command not found, wanted to execute agentMemory\.\w+ /,
  // A webview that is closed while its page is loaded.
  /Found unexpected null\s+at assertIsDefined \S+\/webview\/browser\/pre\//,
  // The editor determines the word at the cursor while a read-only document is updated.
  /Token length and text length do not match!/,
];

/**
 * Open a browser for the code-server at `port`, the only address it resolves. `errors` collects
 * console errors and uncaught exceptions of the page.
 */
export async function openBrowser(sandbox, port, { viewport = { width: 1400, height: 900 } } = {}) {
  copyCaches(WARM_PROFILE, sandbox.chromium);
  const context = await chromium.launchPersistentContext(sandbox.chromium, {
    executablePath: CHROMIUM,
    headless: true,
    viewport,
    // A route that aborts other requests would disable the HTTP cache.
    args: [...QUIET, `--host-resolver-rules=MAP ${HOST} 127.0.0.1:${port}, MAP * ~NOTFOUND`],
    ignoreDefaultArgs: ["--enable-unsafe-swiftshader"],
    env: sandbox.env,
  });
  const page = context.pages()[0] ?? (await context.newPage());
  page.setDefaultTimeout(45_000);
  const errors = [];
  const note = (text) => {
    if (!NOT_OURS.some((pattern) => pattern.test(text))) {
      errors.push(text);
    }
  };
  page.on("console", (message) => {
    if (message.type() === "error") {
      note(`${message.text()} (${message.location().url})`);
    }
  });
  page.on("pageerror", (error) => note(String(error.stack ?? error)));
  return { page, errors, close: () => context.close() };
}

/** Copy the caches of the profile `from` to the profile `to`, except those that do not exist. */
export function copyCaches(from, to) {
  for (const name of CACHES) {
    const folder = path.join(from, "Default", name);
    if (fs.existsSync(folder)) {
      fs.cpSync(folder, path.join(to, "Default", name), { recursive: true });
    }
  }
}
