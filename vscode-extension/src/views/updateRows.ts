/** Updates rows in place: the editor keeps a row whose facts change, also below an open menu. */
import type { SourceGroup, SourceItem } from "./sourceItems";

/** A workspace folder with its groups; the root of the view if there are several folders. */
export interface FolderNode {
  id: string;
  label: string;
  /** The runtime and the agent. */
  description: string;
  groups: SourceGroup[];
}

export type Node = FolderNode | SourceGroup | SourceItem;

/**
 * Copy the facts of the rows `next` to the rows `shown`. Returns the files that changed; undefined
 * if the rows themselves differ, and then nothing is copied.
 */
export function updateRows(shown: readonly Node[], next: readonly Node[]): SourceItem[] | undefined {
  const [before, after] = [flatten(shown), flatten(next)];
  if (before.length !== after.length || before.some((node, index) => name(node) !== name(after[index]))) {
    return undefined;
  }
  const changed: SourceItem[] = [];
  before.forEach((node, index) => {
    if ("source" in node && JSON.stringify(node) !== JSON.stringify(after[index])) {
      changed.push(Object.assign(node, after[index]));
    }
  });
  return changed;
}

function flatten(nodes: readonly Node[]): Node[] {
  return nodes.flatMap((node) => [node, ...flatten(children(node))]);
}

function children(node: Node): readonly Node[] {
  if ("groups" in node) {
    return node.groups;
  }
  return "items" in node ? node.items : [];
}

/** What must be equal for a row to be the same one. */
function name(node: Node | undefined): string {
  if (node === undefined) {
    return "";
  }
  return "groups" in node ? `${node.id} ${node.description}` : "items" in node ? node.key : node.id;
}
