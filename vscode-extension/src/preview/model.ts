/** What the panel shows, computed from the server's answer: plain data with translated texts. */
import { tokenEstimateText, tokensText } from "../countTexts";
import { t } from "../l10n";
import type { Prompt, PromptProblem, SegmentKind, Source } from "../protocol";
import { canVerify, exactAction } from "./exactness";
import { kindName, statusName } from "./names";
import type { SegmentView, Shortener, ViewOptions } from "./segmentView";
import { segmentView } from "./segmentView";

export interface UnreadView {
  path: string;
  uri: string;
  status: string;
  reason: string;
}

/** The tokens of all segments of one kind. */
export interface Part {
  kind: SegmentKind;
  name: string;
  tokens: number;
  /** The name with its tokens. */
  text: string;
  /** Fraction of the bar, 0 to 1. */
  share: number;
  /** The text is not the runtime's own. */
  approximate: boolean;
}

/** Why the template is approximate; the label of the button that makes it exact may be empty. */
export interface ApproximateNotice {
  text: string;
  action: string;
}

export interface PreviewModel {
  runtime: string;
  runtimeTitle: string;
  agent: string;
  badge: { text: string; detail: string; exactness: Prompt["exactness"] };
  approximate: ApproximateNotice | null;
  /** The agent can be started to compare what it sends. */
  canVerify: boolean;
  parts: Part[];
  /** The tokens in few words. */
  total: string;
  /** Tokens, budget and bytes. */
  size: string;
  overBudget: boolean;
  masked: boolean;
  hash: string;
  segments: SegmentView[];
  unread: UnreadView[];
  problems: PromptProblem[];
}

export function previewModel(prompt: Prompt, options: ViewOptions): PreviewModel {
  return {
    runtime: prompt.runtime,
    runtimeTitle: prompt.title,
    agent: prompt.agent,
    badge: badge(prompt),
    approximate: approximate(prompt),
    canVerify: canVerify(prompt),
    parts: parts(prompt, options.locale),
    total: total(prompt, options.locale),
    size: size(prompt, options.locale),
    overBudget: prompt.budget > 0 && prompt.tokens > prompt.budget,
    masked: prompt.masked,
    hash: prompt.hash,
    segments: prompt.segments.map((item) => segmentView(item, prompt, options)),
    unread: unread(prompt.sources, options.shorten),
    problems: prompt.problems,
  };
}

/** The tokens of the prompt by kind of segment. */
export function tokensByKind(prompt: Prompt): Map<SegmentKind, number> {
  const sums = new Map<SegmentKind, number>();
  for (const { kind, tokens } of prompt.segments) {
    sums.set(kind, (sums.get(kind) ?? 0) + tokens);
  }
  return sums;
}

function badge(prompt: Prompt): PreviewModel["badge"] {
  const names = {
    exact: t("exact"),
    unverified: t("unverified"),
    "own-wording": t("approximate template"),
  };
  const version = prompt.version ? `${prompt.runtime} ${prompt.version}` : prompt.runtime;
  return {
    text: `${names[prompt.exactness]} · ${version}`,
    detail: prompt.origin,
    exactness: prompt.exactness,
  };
}

/** A prompt with a template of our own wording; without template text nothing is approximate. */
function approximate(prompt: Prompt): ApproximateNotice | null {
  if (prompt.exactness !== "own-wording" || !tokensByKind(prompt).has("template")) {
    return null;
  }
  return { text: t("Template text is approximate ({0}).", prompt.origin), action: exactAction(prompt.runtime) };
}

function parts(prompt: Prompt, locale: string): Part[] {
  const whole = Math.max(prompt.tokens, prompt.budget, 1);
  const number = new Intl.NumberFormat(locale);
  return [...tokensByKind(prompt)].map(([kind, tokens]) => {
    const isApproximate = kind === "template" && prompt.exactness === "own-wording";
    const count = number.format(tokens);
    return {
      kind,
      name: kindName(kind),
      tokens,
      text: `${kindName(kind)} ${isApproximate ? t("about {0}", count) : count}`,
      share: tokens / whole,
      approximate: isApproximate,
    };
  });
}

function total({ tokens, budget }: Prompt, locale: string): string {
  const number = new Intl.NumberFormat(locale);
  return budget > 0
    ? t("{0} of {1} tokens", number.format(tokens), number.format(budget))
    : tokensText(tokens, locale);
}

function size({ tokens, budget, bytes }: Prompt, locale: string): string {
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const space = bytes < 1000 ? `${bytes} B` : `${number.format(bytes / 1000)} kB`;
  return `${tokenEstimateText(tokens, budget, locale)} · ${space}`;
}

/** Files that exist or block a location, but are not read. */
function unread(sources: readonly Source[], shorten: Shortener): UnreadView[] {
  const statuses = new Set(["shadowed", "unreadable", "ignored", "empty"]);
  return sources
    .filter((item) => statuses.has(item.status))
    .map((item) => ({
      path: shorten(item.path),
      uri: item.uri,
      status: statusName(item.status),
      reason: item.reason,
    }));
}
