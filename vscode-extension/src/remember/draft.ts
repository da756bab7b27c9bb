/** The item of a plan as the user sees and edits it before it is saved. */

export type Draft =
  | { kind: "line"; text: string }
  /** Several items, or the steps of one numbered list. */
  | { kind: "list"; items: string[]; numbered: boolean }
  | { kind: "block"; lines: string[] };

const BULLET = /^- (.*)$/;
const STEP = /^\d+\. (.*)$/;

/** The draft of the formatted `item` of a plan. */
export function draftOf(item: string): Draft {
  const lines = item.split("\n");
  for (const marker of [BULLET, STEP]) {
    const items = lines.map((line) => marker.exec(line)?.[1]);
    if (items.every((text) => text !== undefined)) {
      const [first] = items;
      return items.length === 1 && first !== undefined
        ? { kind: "line", text: first }
        : { kind: "list", items, numbered: marker === STEP };
    }
  }
  return { kind: "block", lines };
}

/** The text that is formatted as `items` again. */
export function textOf(items: readonly string[], numbered: boolean): string {
  const isList = items.length > 1;
  return items.map((item, index) => (isList && numbered ? `${index + 1}. ${item}` : `- ${item}`)).join("\n");
}
