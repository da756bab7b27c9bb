// One journey of a person: a world, code-server and a browser, and screenshots on the way.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { twice } from "./attempts.mjs";
import { openBrowser } from "./browser.mjs";
import { startCodeServer } from "./code-server.mjs";
import { develop } from "./development.mjs";
import { complaints } from "./logs.mjs";
import { SHOTS } from "./paths.mjs";
import { Workbench } from "./workbench.mjs";
import { makeWorld } from "./world.mjs";

const LIMIT = 300_000;

/**
 * Declare a journey. `options` are those of `makeWorld` and `startCodeServer`, and `extensions`,
 * folders of extensions that are loaded beside ours; `walk` is called
 * with `{world, vscode, page, server, shot, tell}`. `shot` takes a picture, of the rectangle `clip`
 * if one is given; `tell` adds a figure to the report. Screenshots are in .cache/shots/<id>, where it
 * fails the last one and logs in .cache/shots/<id>-failed.
 * A journey fails on any error in the browser's console, and any error or warning about us in the
 * logs of the extension, its server and the extension host, that does not match
 * `options.expectedErrors`. What fails is tried once more, and the report says so.
 */
export function journey(id, title, options, walk) {
  test(title, { timeout: 2 * LIMIT }, (context) => twice(context, () => go(context, id, options, walk)));
}

async function go(context, id, options, walk) {
  const folder = path.join(SHOTS, id);
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  const world = makeWorld(options);
  const open = [async () => world.remove()];
  let page;
  let server;
  try {
    server = await startCodeServer(world, options);
    open.unshift(() => server.stop());
    const browser = await openBrowser(world, options);
    open.unshift(() => browser.close());
    page = browser.page;
    if (options.extensions) {
      await develop(page, server.origin, options);
    }
    const vscode = new Workbench(page, world, server.origin);
    const shot = (name, clip) => page.screenshot({ path: path.join(folder, `${name}.png`), clip });
    const tell = (text) => context.diagnostic(text);
    await walk({ world, vscode, page, server, shot, tell });
    const unexpected = (line) => !options.expectedErrors?.test(line);
    assert.deepEqual(browser.errors.filter(unexpected), [], "errors in the browser's console");
    assert.deepEqual(complaints(server.logs).filter(unexpected), [], "complaints in the logs");
  } catch (error) {
    const failed = `${folder}-failed`; // apart, so that a second attempt leaves it
    await keep(failed, page, world, server);
    error.message += `\nscreenshot and logs: ${failed}`;
    throw error;
  } finally {
    for (const close of open) {
      await close();
    }
  }
}

async function keep(folder, page, world, server) {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  await page?.screenshot({ path: path.join(folder, "FAILED.png") }).catch(() => {});
  const log = path.join(world.data, "code-server.log");
  if (fs.existsSync(log)) {
    fs.copyFileSync(log, path.join(folder, "code-server.log"));
  }
  if (server && fs.existsSync(server.logs)) {
    fs.cpSync(server.logs, path.join(folder, "logs"), { recursive: true });
  }
}
