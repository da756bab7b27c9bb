// The person who sits at the workbench (lib/person.mjs): reads views, answers dialogs, clicks.
const { MANIFEST, note, noteLabel } = require("./record");

const VIEWS = new Map(MANIFEST.views.agentMemory.map(({ id, name }) => [name, id]));

async function ask(act, args) {
  const response = await fetch(`${process.env.PERSON}/${act}`, {
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
  if (act === "welcome") {
    note("link", `${VIEWS.get(view)}: ${label}`);
  }
  return value;
}

/** Its methods are those of lib/person.mjs. */
exports.person = new Proxy({}, { get: (_, act) => (...args) => ask(act, args) });
