/** The effect of a save: a prompt near or over its budget, or a file the runtime truncates. */
import { t } from "./l10n";
import { tokensByKind } from "./preview/model";
import { kindName, scopeName } from "./preview/names";
import type { Prompt, SegmentKind, Source } from "./protocol";

export interface Headroom {
  /** 0: enough room, 1: nearly full, 2: over budget, 3: truncated. A higher level causes a warning. */
  level: 0 | 1 | 2 | 3;
  message: string;
}

/** Fraction of the budget above which the prompt is nearly full. */
const NEARLY_FULL = 0.9;

/**
 * The headroom of `prompt`. `lines` returns the lines of a file, to name those that are truncated.
 * Numbers are formatted for `locale`.
 */
export function headroom(
  prompt: Prompt,
  lines: (uri: string) => readonly string[],
  shorten: (path: string) => string,
  locale: string,
): Headroom {
  const source = prompt.sources.find((item) => item.status === "truncated");
  if (source) {
    return { level: 3, message: truncationMessage(prompt, source, lines(source.uri), shorten(source.path)) };
  }
  const { tokens, budget } = prompt;
  const number = new Intl.NumberFormat(locale);
  const limit = number.format(budget);
  if (budget > 0 && tokens > budget) {
    const [name, size] = largestPart(prompt);
    return {
      level: 2,
      message: t(
        "The prompt is over its budget: {0} of {1} tokens. The largest part is {2} ({3} tokens).",
        number.format(tokens),
        limit,
        name,
        number.format(size),
      ),
    };
  }
  if (budget > 0 && tokens > budget * NEARLY_FULL) {
    return { level: 1, message: t("{0} of {1} tokens left for memory.", number.format(budget - tokens), limit) };
  }
  return { level: 0, message: "" };
}

/** Names the lost lines without quoting them: they may contain a secret. */
function truncationMessage(prompt: Prompt, source: Source, lines: readonly string[], file: string): string {
  const { runtime } = prompt;
  const lost = lostLines(prompt, source.uri, lines);
  if (!lost) {
    return t("{0} truncates {1}: {2}", runtime, file, source.reason);
  }
  const [first, last] = [lost.first + 1, lost.last + 1];
  return first === last
    ? t("{0} truncates {1}: line {2} doesn't reach the agent.", runtime, file, first)
    : t("{0} truncates {1}: lines {2} to {3} don't reach the agent.", runtime, file, first, last);
}

/** The first and last line with text after the part of a file in the prompt; both from 0. */
function lostLines(
  prompt: Prompt,
  uri: string,
  lines: readonly string[],
): { first: number; last: number } | undefined {
  const ends = prompt.segments.filter((item) => item.uri === uri).map((item) => item.endLine ?? 0);
  const from = ends.length > 0 ? Math.max(...ends) : 0;
  const lost = [...lines.keys()].filter((line) => line >= from && lines[line]?.trim() !== "");
  const [first] = lost;
  return first === undefined ? undefined : { first, last: lost.at(-1) ?? first };
}

/** The name and tokens of the largest part of the prompt. */
function largestPart(prompt: Prompt): [string, number] {
  const [kind, tokens] = [...tokensByKind(prompt)].reduce<[SegmentKind, number]>(
    (a, b) => (b[1] > a[1] ? b : a),
    ["template", 0],
  );
  return [kind === "user" || kind === "project" ? scopeName(kind) : kindName(kind), tokens];
}
