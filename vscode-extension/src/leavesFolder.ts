/** Whether a path in a workspace folder leads out of it: a repository can contain symlinks. */
import { lstatSync, realpathSync } from "node:fs";
import * as path from "node:path";

/** True if `file` is below one of `folders`, and a symlink on the way leads out or nowhere. */
export function leavesFolder(file: string, folders: readonly string[]): boolean {
  const known = [...folders, ...folders.map(realPath)]; // the server names real paths
  const folder = known.filter((item) => isBelow(file, item)).sort((a, b) => b.length - a.length)[0];
  return folder !== undefined && !isBelow(realPath(file), realPath(folder));
}

/** The real path of a file that may be missing; "" if a link on the way is broken. */
function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    const parent = path.dirname(file);
    if (parent === file || lstatSync(file, { throwIfNoEntry: false })) {
      return "";
    }
    const above = realPath(parent);
    return above && path.join(above, path.basename(file));
  }
}

function isBelow(file: string, folder: string): boolean {
  const way = path.relative(folder, file);
  return file !== "" && folder !== "" && way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}
