// A user journey: a sandbox, code-server, a browser, and screenshots.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { installAgent } from "./agents.mjs";
import { openBrowser, ORIGIN } from "./browser.mjs";
import { freePort, startCodeServer } from "./code-server.mjs";
import { develop } from "./development-extensions.mjs";
import { complaints } from "./logs.mjs";
import { SHOTS } from "./paths.mjs";
import { Workbench } from "./workbench.mjs";
import { createSandbox } from "./sandbox.mjs";

const TIMEOUT_MS = 300_000;
/** For the screenshot, the logs and the end of all programs after that. */
const CLEAN_UP_MS = 60_000;

/**
 * Declare a journey. `options` are those of `createSandbox` and `startCodeServer`, `extensions`:
 * folders of additional extensions, and `agents`: ids of agents to install. `steps` is called with
 * `{sandbox, vscode, page, server, shot, report}`: `shot` takes a screenshot, optionally of the
 * rectangle `clip`; `report` adds a line to the test report.
 *
 * Screenshots are in .cache/shots/<id>; after a failure the last one and the logs are in
 * .cache/shots/<id>-failed. A journey also fails on an error in the browser console, or an error or
 * warning about us in the logs of the extension, its server and the extension host, unless it matches
 * `options.expectedErrors`.
 */
export function journey(id, title, options, steps) {
  test(title, { timeout: TIMEOUT_MS + CLEAN_UP_MS }, (context) => go(context, id, options, steps));
}

async function go(context, id, options, steps) {
  const folder = path.join(SHOTS, id);
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  const sandbox = createSandbox({ ...options, bins: options.agents?.map(installAgent) });
  const open = [async () => sandbox.remove()];
  let page;
  let server;
  try {
    const port = await freePort();
    server = await startCodeServer(sandbox, port, options);
    open.unshift(() => server.stop());
    const browser = await openBrowser(sandbox, port, options);
    open.unshift(() => browser.close());
    page = browser.page;
    if (options.extensions) {
      await develop(page, ORIGIN, options);
    }
    const vscode = new Workbench(page, sandbox, ORIGIN);
    const shot = (name, clip) => page.screenshot({ path: path.join(folder, `${name}.png`), clip });
    const report = (text) => context.diagnostic(text);
    await inTime(steps({ sandbox, vscode, page, server, shot, report }));
    const unexpected = (line) => !options.expectedErrors?.test(line);
    assert.deepEqual(browser.errors.filter(unexpected), [], "errors in the browser's console");
    assert.deepEqual(complaints(server.logs).filter(unexpected), [], "complaints in the logs");
  } catch (error) {
    const failed = `${folder}-failed`; // separate, so that the next run keeps it
    await saveFailure(failed, page, sandbox, server);
    error.message += `\nscreenshot and logs: ${failed}`;
    throw error;
  } finally {
    for (const close of open) {
      await close();
    }
  }
}

/** Wait for `steps`, which may wait for something that never happens, for example a frame. */
async function inTime(steps) {
  let timer;
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${TIMEOUT_MS / 1000} s`)), TIMEOUT_MS);
  });
  await Promise.race([steps, late]).finally(() => clearTimeout(timer));
}

async function saveFailure(folder, page, sandbox, server) {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  await page?.screenshot({ path: path.join(folder, "FAILED.png"), timeout: 10_000 }).catch(() => {});
  const log = path.join(sandbox.data, "code-server.log");
  if (fs.existsSync(log)) {
    fs.copyFileSync(log, path.join(folder, "code-server.log"));
  }
  if (server && fs.existsSync(server.logs)) {
    fs.cpSync(server.logs, path.join(folder, "logs"), { recursive: true });
  }
}
