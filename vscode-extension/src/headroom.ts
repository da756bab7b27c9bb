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
 * The harm of `prompt`; `lines` gives the lines of a file, to name the first that falls off.
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
    const lost = firstLost(prompt, cut.uri, lines(cut.uri));
    const where = shorten(cut.path);
    return {
      level: 3,
      message: lost
        ? t("{0} cuts {1} off: from line {2} on (“{3}”) nothing reaches the agent.", prompt.title, where, lost.line + 1, lost.text)
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

/** The first line of a file with text behind what the prompt holds of it. */
function firstLost(
  prompt: Prompt,
  uri: string,
  lines: readonly string[],
): { line: number; text: string } | undefined {
  const ends = prompt.segments.filter((item) => item.uri === uri).map((item) => item.endLine ?? 0);
  const from = ends.length > 0 ? Math.max(...ends) : 0;
  for (let line = from; line < lines.length; line++) {
    const text = lines[line]?.trim() ?? "";
    if (text !== "") {
      return { line, text: text.length > 60 ? `${text.slice(0, 59)}…` : text };
    }
  }
  return undefined;
}

function largest(prompt: Prompt): [SegmentKind, number] {
  const sums = new Map<SegmentKind, number>();
  for (const { kind, tokens } of prompt.segments) {
    sums.set(kind, (sums.get(kind) ?? 0) + tokens);
  }
  return [...sums].reduce<[SegmentKind, number]>((a, b) => (b[1] > a[1] ? b : a), ["template", 0]);
}
