/** Text of a terminal as the text of an item. */

/** A line without its prompt, or several lines as a code block. */
export function terminalText(text: string): string {
  const lines = text.replaceAll("\r\n", "\n").split("\n").map((line) => line.trimEnd());
  while (lines.length > 1 && lines.at(-1) === "") {
    lines.pop();
  }
  const [first = ""] = lines;
  if (lines.length === 1) {
    return first.trim().replace(/^(?:[$❯➜]|\S*[@:]\S*[$#%])\s+/, "");
  }
  const fence = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)));
  return [`${fence}text`, ...lines, fence].join("\n");
}
