/** Short paths for display: relative to the open folder or to the home folder. */
import * as path from "node:path";
import type { Shortener } from "./segmentView";

/** The first of `folders` that contains a path wins, then `home`. Several folders are named. */
export function shortener(folders: readonly string[], home: string): Shortener {
  return (full) => {
    for (const folder of folders) {
      const inside = relative(folder, full);
      if (inside !== undefined) {
        return folders.length > 1 ? path.join(path.basename(folder), inside) : inside;
      }
    }
    const below = home ? relative(home, full) : undefined;
    return below === undefined ? full : path.join("~", below);
  };
}

function relative(folder: string, full: string): string | undefined {
  const inside = path.relative(folder, full);
  const outside = inside === "" || inside.startsWith("..") || path.isAbsolute(inside);
  return outside ? undefined : inside;
}
