/** What the panel shows, worked out from the server's answer: plain data, texts in the user's language. */
import { errorsText, warningsText } from "../counts";
import { t } from "../l10n";
import type { Prompt, PromptProblem, Segment, SegmentKind, Source } from "../protocol";
import { ordinal } from "./ordinal";

/** Writes a path as people say it. */
export type Shortener = (path: string) => string;

/** A finding on a line of the prompt. `line` counts from 0 within the segment. */
export interface Mark {
  line: number;
  severity: "error" | "warning" | "info";
  message: string;
}

export interface SegmentView {
  kind: SegmentKind;
  /** What the piece is, in words; colour is never the only sign. */
  name: string;
  path: string | null;
  uri: string | null;
  startLine: number | null;
  note: string;
  text: string;
  tokens: number;
  marks: Mark[];
  /** Why the piece is part of the prompt; each entry is a sentence. */
  why: string[];
  /** What the runtime leaves out behind the last line; empty where it leaves out nothing. */
  cut: string;
}

export interface UnreadView {
  path: string;
  uri: string;
  status: string;
  reason: string;
}

export interface Part {
  kind: SegmentKind;
  name: string;
  tokens: number;
  /** Part of the bar, 0 to 1. */
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

export interface Surroundings {
  locale: string;
  shorten: Shortener;
  /** The findings on lines `first` to `last` of a file, both counted from 0. */
  findings: (uri: string, first: number, last: number) => Mark[];
}

export function previewModel(prompt: Prompt, around: Surroundings): PreviewModel {
  return {
    runtime: prompt.runtime,
    runtimeTitle: prompt.title,
    agent: prompt.agent,
    badge: badge(prompt),
    parts: parts(prompt),
    total: total(prompt, around.locale),
    overBudget: prompt.budget > 0 && prompt.tokens > prompt.budget,
    masked: prompt.masked,
    hash: prompt.hash,
    segments: prompt.segments.map((item) => segmentView(item, prompt, around)),
    unread: unread(prompt.sources, around.shorten),
    problems: prompt.problems,
  };
}

/** The name of a kind of segment. */
export function kindName(kind: SegmentKind): string {
  const names: Record<SegmentKind, string> = {
    template: t("template"),
    user: t("user"),
    project: t("project"),
    root: t("root"),
    skills: t("skills"),
    entries: t("entries"),
    base: t("system prompt"),
  };
  return names[kind];
}

function badge(prompt: Prompt): PreviewModel["badge"] {
  const names = {
    exact: t("exact"),
    unverified: t("unverified"),
    "own-wording": t("own wording"),
  };
  const version = prompt.version ? `${prompt.runtime} ${prompt.version}` : prompt.runtime;
  return {
    text: `${names[prompt.exactness]} · ${version}`,
    detail: prompt.origin,
    exactness: prompt.exactness,
  };
}

function parts(prompt: Prompt): Part[] {
  const sums = new Map<SegmentKind, number>();
  for (const { kind, tokens } of prompt.segments) {
    sums.set(kind, (sums.get(kind) ?? 0) + tokens);
  }
  const whole = Math.max(prompt.tokens, prompt.budget, 1);
  return [...sums].map(([kind, tokens]) => ({
    kind,
    name: kindName(kind),
    tokens,
    share: tokens / whole,
  }));
}

function total(prompt: Prompt, locale: string): string {
  const number = new Intl.NumberFormat(locale);
  const bytes = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const size =
    prompt.bytes < 1000 ? `${prompt.bytes} B` : `${bytes.format(prompt.bytes / 1000)} kB`;
  return prompt.budget > 0
    ? t("{0} of {1} tokens (estimate) · {2}", number.format(prompt.tokens), number.format(prompt.budget), size)
    : t("{0} tokens (estimate) · {1}", number.format(prompt.tokens), size);
}

function segmentView(segment: Segment, prompt: Prompt, around: Surroundings): SegmentView {
  const source = prompt.sources.find((item) => item.uri === segment.uri);
  const first = segment.startLine ?? 0;
  const last = first + segment.text.split("\n").length - 1;
  const marks = segment.uri
    ? around
        .findings(segment.uri, first, last)
        .map((mark) => ({ ...mark, line: mark.line - first }))
    : [];
  return {
    kind: segment.kind,
    name: kindName(segment.kind),
    path: segment.path === null ? null : around.shorten(segment.path),
    uri: segment.uri,
    startLine: segment.startLine,
    note: note(segment, source, prompt, marks, around.locale),
    text: segment.text,
    tokens: segment.tokens,
    marks,
    why: why(segment, source, prompt, around),
    cut: cut(segment, source, prompt),
  };
}

function note(
  segment: Segment,
  source: Source | undefined,
  prompt: Prompt,
  marks: readonly Mark[],
  locale: string,
): string {
  const errors = marks.filter((item) => item.severity === "error").length;
  const warnings = marks.filter((item) => item.severity === "warning").length;
  return [
    segment.label,
    loadedAt(source, prompt, locale),
    t("{0} tokens", new Intl.NumberFormat(locale).format(segment.tokens)),
    errors > 0 ? errorsText(errors) : "",
    warnings > 0 ? warningsText(warnings) : "",
  ]
    .filter((item) => item !== "")
    .join(" · ");
}

/** The place among the files that are read; of what is only listed (it has an order too), that. */
function loadedAt(source: Source | undefined, prompt: Prompt, locale: string): string {
  if (!source?.order) {
    return "";
  }
  if (source.status === "listed") {
    return statusName(source.status);
  }
  const count = prompt.sources.filter((item) => item.order !== null && item.status !== "listed").length;
  return t("loaded {0} of {1}", ordinal(source.order, locale), count);
}

function why(
  segment: Segment,
  source: Source | undefined,
  prompt: Prompt,
  around: Surroundings,
): string[] {
  const runtime = t("The runtime is {0} ({1}).", prompt.title, prompt.runtimeReason);
  const agent = t("The agent is {0} ({1}).", prompt.agent, prompt.agentReason);
  if (segment.path === null) {
    const from = prompt.origin ? [t("Its text: {0}.", prompt.origin)] : [];
    return [t("This is part of the runtime's own prompt and not of a file."), ...from, runtime];
  }
  const file = around.shorten(segment.path);
  const place = loadedAt(source, prompt, around.locale);
  const reads = place
    ? t("{0} reads {1} ({2}).", prompt.title, file, place)
    : t("{0} reads {1}.", prompt.title, file);
  const reason = source?.reason ? [t("Status of the file: {0}.", source.reason)] : [];
  return [reads, ...reason, runtime, ...(segment.kind === "user" ? [agent] : [])];
}

function cut(segment: Segment, source: Source | undefined, prompt: Prompt): string {
  if (source?.status !== "truncated" || segment !== lastOf(prompt.segments, segment.uri)) {
    return "";
  }
  return t("{0} cuts the file off here: {1}", prompt.title, source.reason);
}

function lastOf(segments: readonly Segment[], uri: string | null): Segment | undefined {
  return segments.filter((item) => item.uri === uri).at(-1);
}

/** Files that exist, or are in the way, and yet are not read. */
function unread(sources: readonly Source[], shorten: Shortener): UnreadView[] {
  const told = new Set(["shadowed", "unreadable", "ignored", "empty"]);
  return sources
    .filter((item) => told.has(item.status))
    .map((item) => ({
      path: shorten(item.path),
      uri: item.uri,
      status: statusName(item.status),
      reason: item.reason,
    }));
}

/** The name of a source's status. */
export function statusName(status: Source["status"]): string {
  const names: Record<Source["status"], string> = {
    loaded: t("loaded"),
    listed: t("listed"),
    missing: t("missing"),
    empty: t("empty"),
    shadowed: t("not read"),
    truncated: t("cut off"),
    unreadable: t("unreadable"),
    ignored: t("not read"),
  };
  return names[status];
}
