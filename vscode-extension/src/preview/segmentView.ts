/** What the panel shows for one segment: header, findings, and why it is part of the prompt. */
import { errorsText, tokensText, warningsText } from "../countTexts";
import { t } from "../l10n";
import type { Prompt, Segment, SegmentKind, Source } from "../protocol";
import { kindName, roleName, statusName } from "./names";
import { ordinal } from "./ordinal";

/** Shortens a path for display. */
export type Shortener = (path: string) => string;

/** A finding on a line of the prompt. `line` counts from 0 within the segment. */
export interface Mark {
  line: number;
  severity: "error" | "warning" | "info";
  message: string;
}

export interface SegmentView {
  kind: SegmentKind;
  /** The name of the message that starts here; "" if none does. */
  message: string;
  /** The kind as text, so that color is not the only distinction. */
  name: string;
  path: string | null;
  uri: string | null;
  startLine: number | null;
  note: string;
  text: string;
  tokens: number;
  marks: Mark[];
  /** Why the segment is part of the prompt; one sentence per entry. */
  why: string[];
  /** The notice after the last line of a truncated file; empty otherwise. */
  truncation: string;
}

export interface ViewOptions {
  locale: string;
  shorten: Shortener;
  /** The findings on lines `first` to `last` of a file, both from 0. */
  findings: (uri: string, first: number, last: number) => Mark[];
}

export function segmentView(segment: Segment, prompt: Prompt, options: ViewOptions): SegmentView {
  const source = prompt.sources.find((item) => item.uri === segment.uri);
  const first = segment.startLine ?? 0;
  const last = first + segment.text.split("\n").length - 1;
  const marks = segment.uri
    ? options.findings(segment.uri, first, last).map((mark) => ({ ...mark, line: mark.line - first }))
    : [];
  return {
    kind: segment.kind,
    message: messageAt(segment, prompt),
    name: kindName(segment.kind),
    path: segment.path === null ? null : options.shorten(segment.path),
    uri: segment.uri,
    startLine: segment.startLine,
    note: note(segment, source, prompt, marks, options.locale),
    text: segment.text,
    tokens: segment.tokens,
    marks,
    why: why(segment, source, prompt, options),
    truncation: truncation(segment, source, prompt),
  };
}

/** The role of a block is shown above its first segment. */
function messageAt(segment: Segment, prompt: Prompt): string {
  const block = segment.block === null ? undefined : prompt.blocks[segment.block];
  const first = prompt.segments.find((item) => item.block === segment.block);
  return block && first === segment ? roleName(block.role) : "";
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
    loadNote(source, prompt, locale),
    tokensText(segment.tokens, locale),
    errors > 0 ? errorsText(errors) : "",
    warnings > 0 ? warningsText(warnings) : "",
  ]
    .filter((item) => item !== "")
    .join(" · ");
}

function loadNote(source: Source | undefined, prompt: Prompt, locale: string): string {
  if (!source?.order) {
    return "";
  }
  return source.status === "listed"
    ? statusName("listed")
    : t("loaded {0} of {1}", ordinal(source.order, locale), loadedCount(prompt));
}

/** How many sources are loaded; listed sources have an order too, but are not loaded. */
function loadedCount(prompt: Prompt): number {
  return prompt.sources.filter((item) => item.order !== null && item.status !== "listed").length;
}

function why(segment: Segment, source: Source | undefined, prompt: Prompt, options: ViewOptions): string[] {
  const runtime = t("Runtime: {0} ({1}).", prompt.runtime, prompt.runtimeReason);
  if (segment.path === null) {
    const template = prompt.origin ? [t("Template: {0}", prompt.origin)] : [];
    return [t("Part of the runtime's own prompt, not of a file."), ...template, runtime];
  }
  const reason = source?.reason ? [t("File status: {0}", source.reason)] : [];
  const agent = segment.kind === "user" ? [t("Agent: {0} ({1}).", prompt.agent, prompt.agentReason)] : [];
  return [loadSentence(options.shorten(segment.path), source, prompt, options.locale), ...reason, runtime, ...agent];
}

function loadSentence(file: string, source: Source | undefined, prompt: Prompt, locale: string): string {
  if (source?.status === "listed") {
    return t("{0} lists {1} without loading it.", prompt.runtime, file);
  }
  return source?.order
    ? t("{0} loads {1} ({2} of {3}).", prompt.runtime, file, ordinal(source.order, locale), loadedCount(prompt))
    : t("{0} loads {1}.", prompt.runtime, file);
}

function truncation(segment: Segment, source: Source | undefined, prompt: Prompt): string {
  const last = prompt.segments.filter((item) => item.uri === segment.uri).at(-1);
  return source?.status === "truncated" && segment === last
    ? t("{0} truncates the file here: {1}", prompt.runtime, source.reason)
    : "";
}
