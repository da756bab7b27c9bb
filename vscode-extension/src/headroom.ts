/** What a save costs: whether the prompt is near or over its budget, and what the runtime cuts off. */
import { t } from "./l10n";
import { kindName } from "./preview/model";
import type { Prompt, SegmentKind } from "./protocol";

export interface Headroom {
  /** Grows with the harm; a warning is given when it grows, not at each save. */
  level: 0 | 1 | 2 | 3;
  message: string;
}

/** The part of the budget from which on it is called tight. */
const TIGHT = 0.9;

/**
 * The harm of `prompt`; `lines` gives the lines of a file, to name those that fall off.
 * Numbers are written as in `locale`.
 */
export function headroom(
  prompt: Prompt,
  lines: (uri: string) => readonly string[],
  shorten: (path: string) => string,
  locale: string,
): Headroom {
  const cut = prompt.sources.find((item) => item.status === "truncated");
  if (cut) {
    const lost = lostLines(prompt, cut.uri, lines(cut.uri));
    const where = shorten(cut.path);
    return {
      level: 3,
      // Not what stands there: it may be a secret.
      message: lost
        ? t("{0} cuts {1} off: nothing from line {2} to line {3} reaches the agent.", prompt.title, where, lost.first + 1, lost.last + 1)
        : t("{0} cuts {1} off: {2}", prompt.title, where, cut.reason),
    };
  }
  const { tokens, budget } = prompt;
  const number = new Intl.NumberFormat(locale);
  const limit = number.format(budget);
  if (budget > 0 && tokens > budget) {
    const [kind, size] = largest(prompt);
    return {
      level: 2,
      message: t(
        "The prompt is {0} tokens over its budget of {1}. The largest part is {2} with {3}.",
        number.format(tokens - budget),
        limit,
        kindName(kind),
        number.format(size),
      ),
    };
  }
  if (budget > 0 && tokens > budget * TIGHT) {
    return { level: 1, message: t("{0} of {1} tokens are left for memory.", number.format(budget - tokens), limit) };
  }
  return { level: 0, message: "" };
}

/** The first and last line with text behind what the prompt holds of a file; both count from 0. */
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

function largest(prompt: Prompt): [SegmentKind, number] {
  const sums = new Map<SegmentKind, number>();
  for (const { kind, tokens } of prompt.segments) {
    sums.set(kind, (sums.get(kind) ?? 0) + tokens);
  }
  return [...sums].reduce<[SegmentKind, number]>((a, b) => (b[1] > a[1] ? b : a), ["template", 0]);
}
