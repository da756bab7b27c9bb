/**
 * The lines of a segment.
 *
 * They stand in chunks that the browser neither lays out nor paints until they come near the
 * window (`content-visibility` in preview.css), so that a prompt of 10,000 lines scrolls smoothly.
 * A chunk that says the same as before is used again: typing draws one chunk anew.
 */
import type { Mark, SegmentView } from "../preview/model";
import { t } from "../l10n";
import { el } from "./dom";

const CHUNK = 200;

/** All that is drawn of a chunk. */
const states = new WeakMap<Element, string>();

/** The lines of `segment`; `before` is where its lines were drawn last, and loses what is reused. */
export function linesOf(
  segment: SegmentView,
  index: number,
  before: HTMLElement | undefined,
): HTMLElement {
  const known = new Map<string, HTMLElement>();
  for (const chunk of before?.querySelectorAll<HTMLElement>(".chunk") ?? []) {
    known.set(states.get(chunk) ?? "", chunk);
  }
  const marks = byLine(segment.marks);
  const texts = segment.text.split("\n");
  const ended = texts.at(-1) === "";
  if (ended) {
    texts.pop(); // the last newline ends a line and begins no further one
  }
  const chunks: HTMLElement[] = [];
  for (let at = 0; at < texts.length; at += CHUNK) {
    const part = texts.slice(at, at + CHUNK);
    const own = part.map((_, offset) => marks.get(at + offset) ?? []);
    const state = JSON.stringify([index, segment.uri, segment.startLine, at, part, own]);
    const chunk =
      known.get(state) ??
      chunkOf(part.map((text, offset) => lineOf(text, segment, index, at + offset, own[offset])));
    states.set(chunk, state);
    chunks.push(chunk);
  }
  const label = segment.path === null ? segment.name : `${segment.name}: ${segment.path}`;
  return el(
    "div",
    {
      class: "lines",
      role: texts.length > 0 ? "listbox" : null,
      "aria-label": t("Lines of {0}", label),
      "data-ends-with-newline": ended,
    },
    ...chunks,
  );
}

function chunkOf(lines: readonly HTMLElement[]): HTMLElement {
  const chunk = el("div", { class: "chunk", role: "presentation" }, ...lines);
  chunk.style.setProperty("contain-intrinsic-size", `auto ${lines.length * 1.55}em`);
  return chunk;
}

function lineOf(
  text: string,
  segment: SegmentView,
  index: number,
  line: number,
  marks: readonly Mark[] = [],
): HTMLElement {
  const worst = marks.find((item) => item.severity === "error") ?? marks[0];
  const source = segment.startLine === null ? null : segment.startLine + line;
  return el(
    "div",
    {
      class: worst ? `line mark ${worst.severity}` : "line",
      role: "option",
      "aria-selected": "false",
      tabindex: "-1",
      // An option without text has no name for a screen reader.
      "aria-label": text.trim() === "" ? t("blank line") : null,
      title: worst ? marks.map((item) => item.message).join("\n") : null,
      "data-line": line,
      "data-source-line": source,
      "data-vscode-context": JSON.stringify({
        webviewSection: segment.uri === null ? "templateLine" : "line",
        segment: index,
        line,
      }),
    },
    text,
  );
}

function byLine(marks: readonly Mark[]): Map<number, Mark[]> {
  const lines = new Map<number, Mark[]>();
  for (const mark of marks) {
    lines.set(mark.line, [...(lines.get(mark.line) ?? []), mark]);
  }
  return lines;
}
