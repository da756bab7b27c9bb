// What our extension and its server complained of, in all logs of the editor.
import fs from "node:fs";
import path from "node:path";

/** Our own channel; the server's standard error arrives in it as errors. */
const OUR_LOG = /^Agent Memory[^/]*\.log$/;
/** The extension host's: what no extension caught, and the editor's warnings to extensions. */
const HOST_LOG = /exthost.*\.log$/;
/** A record begins with its time and level, and may have more lines, such as those of a stack. */
const RECORD = /^(?=\d{4}-\d\d-\d\d [\d:.]+ \[)/m;
const OURS = /agent-memory\.agent-memory/;

/** The editor's own words in records that name us, and why each is no complaint. */
const NOT_OURS = [
  /ExtensionService#_doActivateExtension/, // it says at which event it activates us
  /Channel has been closed/, // the window has gone, and with it the extension host
];

/** Records of level error or warning of the logs below `folder` that are about us. */
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
