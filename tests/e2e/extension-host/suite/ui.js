// Client of lib/workbench-driver.mjs: reads views, answers notifications, clicks.
const { MANIFEST, note, noteLabel } = require("./usage");

const VIEWS = new Map(MANIFEST.views.agentMemory.map(({ id, name }) => [name, id]));

async function ask(action, args) {
  const response = await fetch(`${process.env.DRIVER}/${action}`, {
    method: "POST",
    body: JSON.stringify(args),
  });
  const { error, value } = await response.json();
  if (error) {
    throw new Error(error);
  }
  const [view, label] = [args[0], args.at(-1)];
  if (VIEWS.has(view)) {
    note("view", VIEWS.get(view));
  }
  noteLabel(label);
  if (action === "welcome") {
    note("link", `${VIEWS.get(view)}: ${label}`);
  }
  return value;
}

/** Has the methods of lib/workbench-driver.mjs. */
exports.ui = new Proxy({}, { get: (_, action) => (...args) => ask(action, args) });
