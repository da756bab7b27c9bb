// Complaints: errors and warnings of our extension and its server in all logs of the editor.
import fs from "node:fs";
import path from "node:path";

/** Our channel; it contains the server's standard error as errors. */
const OUR_LOG = /^Agent Memory[^/]*\.log$/;
/** The extension host's log: uncaught errors and the editor's warnings to extensions. */
const HOST_LOG = /exthost.*\.log$/;
/** A record starts with its time and level and may have several lines, such as a stack trace. */
const RECORD = /^(?=\d{4}-\d\d-\d\d [\d:.]+ \[)/m;
const OURS = /agent-memory\.agent-memory/;

/** Records of the editor that name us but are not complaints. */
const NOT_OURS = [
  /ExtensionService#_doActivateExtension/, // names the activation event
  /Channel has been closed/, // the window and its extension host were closed
];

/** The records about us with level error or warning in the logs below `folder`. */
export function complaints(folder) {
  return filesBelow(folder).flatMap((file) => {
    const name = path.basename(file);
    const ours = OUR_LOG.test(name) && !/Trace/.test(name);
    if (!ours && !HOST_LOG.test(name)) {
      return [];
    }
    return fs
      .readFileSync(file, "utf8")
      .split(RECORD)
      .filter((record) => /^\S+ \S+ \[(error|warning)\]/.test(record))
      .filter((record) => ours || OURS.test(record))
      .filter((record) => !NOT_OURS.some((pattern) => pattern.test(record)));
  });
}

function filesBelow(folder) {
  return fs.existsSync(folder)
    ? fs.readdirSync(folder, { recursive: true }).map((name) => path.join(folder, name))
    : [];
}
