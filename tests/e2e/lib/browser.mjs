// Headless Chromium that reaches nothing but loopback and keeps what the page complains about.
import { chromium } from "playwright-core";
import { CHROMIUM } from "./paths.mjs";

const QUIET = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
];

/** What the workbench itself writes to the console when its own services cannot be reached. */
const NOT_OURS = [
  /net::ERR_FAILED/, // requests to the outside, which we abort
  /127\.0\.0\.1:9\b/, // the gallery that is not there
  /ERR_CONNECTION_REFUSED/,
  /Failed to load resource/,
  /extension ['`]vscode\./i, // extensions that come with VS Code, about themselves
  /Aborted onWillSaveTextDocument-event/, // a busy machine; we do not listen to it
  // The workbench that is left, when another is opened in its place.
  /Long running operations during shutdown/,
  /IndexedDB database '.*' is closed/,
  /authentication provider 'github'/, // an extension of VS Code that code-server leaves out
  /\/vscode\/extensions\/copilot\//, // one it brings along and cannot load, some minutes after the start
  // The editor looks for the word at the cursor while a read-only document gets its new text.
  /Token length and text length do not match!/,
];

/** Open a browser; `errors` fills with the console errors and uncaught exceptions of the page. */
export async function openBrowser(world, { viewport = { width: 1400, height: 900 } } = {}) {
  const context = await chromium.launchPersistentContext(world.chromium, {
    executablePath: CHROMIUM,
    headless: true,
    viewport,
    args: QUIET,
    env: world.env,
  });
  const isOutside = (url) => url.protocol.startsWith("http") && url.hostname !== "127.0.0.1";
  await context.route(isOutside, (route) => route.abort());
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
