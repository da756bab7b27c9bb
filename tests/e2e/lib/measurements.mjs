// Measurements of panels and of requests between extension and server: times, sizes, counts.
import fs from "node:fs";
import path from "node:path";
import { until } from "./sandbox.mjs";

/**
 * Observe panels opened from now on. The returned list collects
 * `{panel, at, size, took, painted, shows}` for each message that a page handles: the page's title,
 * milliseconds since the epoch, characters of JSON, milliseconds of its handler, the time at which
 * the next frame was painted, and whether the page shows a line.
 */
export async function observePanels(page) {
  const seen = [];
  await page.exposeFunction("panelHandled", (message) => seen.push(message));
  await page.addInitScript(() => {
    const now = () => performance.timeOrigin + performance.now();
    const add = window.addEventListener;
    // The editor rewrites the panel's document, which removes listeners but keeps window properties.
    window.addEventListener = function (type, listener, ...more) {
      if (type !== "message" || !document.title || window === window.top) {
        return add.call(this, type, listener, ...more);
      }
      return add.call(this, type, (event) => {
        const at = now();
        listener.call(this, event);
        const took = now() - at;
        const size = JSON.stringify(event.data).length;
        requestAnimationFrame(() => {
          const channel = new MessageChannel();
          channel.port1.onmessage = () => {
            const shows = document.querySelector("body[data-hash] .line") !== null;
            window.panelHandled({ panel: document.title, at, took, size, painted: now(), shows });
          };
          channel.port2.postMessage(null);
        });
      }, ...more);
    };
  });
  return seen;
}

// The client library repeats this request every 2 s, also when the user does nothing.
const POLLED = "workspace/diagnostic";

/**
 * The number of messages from client to server since `since` (milliseconds since the epoch), by
 * method, without the polled one. Requires the setting `agentMemory.trace.server` to be `messages`.
 */
export function sentSince(logs, since) {
  const counts = {};
  for (const { at, method } of sentMessages(logs)) {
    if (at >= since) {
      counts[method] = (counts[method] ?? 0) + 1;
    }
  }
  return counts;
}

/** Wait until the client has sent nothing but the polled request for `quiet` milliseconds. */
export async function settled(logs, quiet) {
  let last = Date.now();
  await until(`nothing is sent for ${quiet} ms`, () => {
    last = Math.max(last, ...sentMessages(logs).map(({ at }) => at));
    return Date.now() - last >= quiet;
  });
}

function sentMessages(logs) {
  return traceOf(logs).flatMap(({ at, text }) => {
    const method = /^Sending (?:request|notification) '([^' ]+)/.exec(text)?.[1];
    return method && method !== POLLED ? [{ at, method }] : [];
  });
}

function traceOf(logs) {
  return fs
    .readdirSync(logs, { recursive: true })
    .filter((name) => /Agent Memory Trace\.log$/.test(name))
    .flatMap((name) => fs.readFileSync(path.join(logs, name), "utf8").split("\n"))
    .flatMap((line) => {
      const [, date, time, text] = /^(\S+) (\S+) \[\w+\] (.*)/.exec(line) ?? [];
      return text ? [{ at: Date.parse(`${date}T${time}`), text }] : [];
    });
}

/** Scroll a panel from top to end by viewport heights; returns the milliseconds of each frame. */
export function scrollThrough(panel) {
  return panel.locator("html").evaluate(
    (html) =>
      new Promise((resolve) => {
        const frames = [];
        const long = [];
        const observer = new PerformanceObserver((list) => {
          // The workbench shares the thread; "self" is the work of the page itself.
          const own = list.getEntries().filter(({ name }) => name === "self");
          long.push(...own.map(({ duration }) => Math.round(duration)));
        });
        observer.observe({ type: "longtask" });
        html.scrollTo(0, 0);
        let before = performance.now();
        const step = () => {
          frames.push(Math.round(performance.now() - before));
          before = performance.now();
          if (html.scrollTop + innerHeight < html.scrollHeight - 2) {
            html.scrollBy(0, innerHeight);
            requestAnimationFrame(step);
          } else {
            observer.disconnect();
            resolve({ frames: frames.slice(1).sort((a, b) => a - b), long });
          }
        };
        requestAnimationFrame(step);
      }),
  );
}

export function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
