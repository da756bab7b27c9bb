/** Updates rows in place: the editor keeps the other rows, also below an open menu. */
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
 * Copy what differs in the rows `next` to the rows `shown`. Returns the rows to refresh: a file whose
 * facts changed, or the group or folder whose rows are other ones. Undefined if those of the root are;
 * then nothing is copied.
 */
export function updateRows(shown: readonly Node[], next: readonly Node[]): Node[] | undefined {
  if (shown.length !== next.length || shown.some((node, index) => name(node) !== name(next[index]))) {
    return undefined;
  }
  return shown.flatMap((node, index) => updateRow(node, next[index] ?? node));
}

function updateRow(node: Node, next: Node): Node[] {
  const below = "source" in node ? undefined : updateRows(children(node), children(next));
  const isSame = below ? facts(node) === facts(next) : JSON.stringify(node) === JSON.stringify(next);
  if (below && isSame) {
    return below;
  }
  return isSame ? [] : [Object.assign(node, next)];
}

function children(node: Node): readonly Node[] {
  if ("groups" in node) {
    return node.groups;
  }
  return "items" in node ? node.items : [];
}

/** What a folder or group shows besides its rows. */
function facts(node: Node): string {
  return "description" in node ? `${node.label} ${node.description}` : node.label;
}

/** What must be equal for a row to be the same one. */
function name(node: Node | undefined): string {
  return node === undefined ? "" : "key" in node ? node.key : node.id;
}
