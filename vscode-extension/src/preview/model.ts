/** What the panel shows, computed from the server's answer: plain data with translated texts. */
import { tokenEstimateText } from "../countTexts";
import { t } from "../l10n";
import type { Prompt, PromptProblem, SegmentKind, Source } from "../protocol";
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
  /** Fraction of the bar, 0 to 1. */
  share: number;
}

export interface PreviewModel {
  runtime: string;
  runtimeTitle: string;
  agent: string;
  badge: { text: string; detail: string; exactness: Prompt["exactness"] };
  parts: Part[];
  total: string;
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
    parts: parts(prompt),
    total: total(prompt, options.locale),
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

function parts(prompt: Prompt): Part[] {
  const whole = Math.max(prompt.tokens, prompt.budget, 1);
  return [...tokensByKind(prompt)].map(([kind, tokens]) => ({
    kind,
    name: kindName(kind),
    tokens,
    share: tokens / whole,
  }));
}

function total({ tokens, budget, bytes }: Prompt, locale: string): string {
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const size = bytes < 1000 ? `${bytes} B` : `${number.format(bytes / 1000)} kB`;
  return `${tokenEstimateText(tokens, budget, locale)} · ${size}`;
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
