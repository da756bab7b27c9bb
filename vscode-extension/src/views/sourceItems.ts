/** The contents of the Sources view, computed from the server's answer. */
import * as path from "node:path";
import { problemsText, tokensText } from "../countTexts";
import { t } from "../l10n";
import { scopeName, statusName } from "../preview/names";
import { ordinal } from "../preview/ordinal";
import type { Shortener } from "../preview/segmentView";
import type { Action, KnownFile, Source, Sources } from "../protocol";

/** A file in the view. */
export interface SourceItem {
  /** Unique in the view and stable across refreshes. */
  id: string;
  source: Source;
  /** The file's name, or that of a skill. */
  label: string;
  /** The tokens and the folder: the start is visible in a narrow view. */
  description: string;
  /** One fact per line, the path first. */
  tooltip: string[];
  /** The row for screen readers: it makes sense alone. */
  spoken: string;
  /** A theme icon. */
  icon: string;
  /** The end of the view item's context value; decides which actions the menu offers. */
  kind: "read" | "missing" | "unread";
  /** A free location that the runtime reads; undefined if the file is read or none is free. */
  moveTo: Source | undefined;
  /** What to do about a file that is not read; null if there is nothing. */
  action: Action | null;
}

export interface SourceGroup {
  id: "loaded" | "on-demand" | "unread" | "missing";
  /** Unique in the view. */
  key: string;
  label: string;
  items: SourceItem[];
}

export interface ItemOptions {
  /** Of all ids: a file may be a source in several folders. */
  prefix: string;
  locale: string;
  shorten: Shortener;
  /** The number of findings in a file. */
  problems: (uri: string) => number;
  /** Whether the user has hidden a file from the view. */
  isHidden: (uri: string) => boolean;
}

const GROUP_OF: Record<Source["status"], SourceGroup["id"]> = {
  loaded: "loaded",
  truncated: "loaded",
  listed: "on-demand",
  missing: "missing",
  shadowed: "unread",
  unreadable: "unread",
  ignored: "unread",
  empty: "unread",
};

/** The non-empty groups: loaded files first, each group in load order. */
export function sourceGroups(known: Sources, options: ItemOptions): SourceGroup[] {
  const sources = new Set(known.sources.map(({ uri }) => uri));
  const others = known.files.filter(({ uri }) => !sources.has(uri)).map(unreadSource);
  const visible = [...known.sources, ...others].filter((item) => !options.isHidden(item.uri));
  const labels: [SourceGroup["id"], string][] = [
    ["loaded", t("Loaded at startup")],
    ["on-demand", t("Read on demand")],
    ["unread", t("Not read")],
    ["missing", t("Not created yet")],
  ];
  return labels
    .map(([id, label]) => {
      const listed = visible.filter((source) => GROUP_OF[source.status] === id);
      return { id, key: options.prefix + id, label, items: items(id, known, options, listed) };
    })
    .filter((group) => group.items.length > 0);
}

/** A known file that the runtime does not look for, as a source. */
function unreadSource({ path: full, uri, scope, bytes, tokens, outcome, reason, madeFor }: KnownFile): Source {
  const status = outcome === "on-demand" ? "listed" : "ignored";
  const owner = madeFor === "" ? "" : t("Made for {0}.", madeFor);
  const whole = [reason, owner].filter(Boolean).join(" ");
  return { path: full, uri, scope, role: "", status, reason: whole, order: null, name: "", bytes, tokens };
}

function items(id: string, known: Sources, options: ItemOptions, sources: Source[]): SourceItem[] {
  const ordered = [...sources].sort((a, b) => (a.order ?? Infinity) - (b.order ?? Infinity));
  const counts = new Map<string, number>(); // a setting may name a file twice
  return ordered.map((source) => {
    const name = options.prefix + [id, source.scope, source.role, source.uri].join("/");
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return item(count === 1 ? name : `${name}#${count}`, source, known, options);
  });
}

function item(id: string, source: Source, known: Sources, options: ItemOptions): SourceItem {
  const group = GROUP_OF[source.status];
  const isSkill = source.role === "skill" && source.name !== "";
  const short = options.shorten(source.path);
  const folder = path.dirname(short);
  const label = isSkill ? source.name : path.basename(short);
  const tokens = source.tokens > 0 ? tokensText(source.tokens, options.locale) : "";
  const problems = options.problems(source.uri);
  const order = source.order === null || group !== "loaded" ? "" : orderText(source.order, options.locale);
  const action = group === "unread" ? actionOf(source, known) : null;
  const facts = [
    isSkill ? t("skill") : "",
    scopeName(source.scope),
    order || statusName(source.status),
    tokens,
    source.reason,
    action?.message ?? "",
    problems > 0 ? problemsText(problems) : "",
  ].filter(Boolean);
  return {
    id,
    source,
    label,
    description: [shortTokens(source, options.locale), folder === "." ? "" : folder].filter(Boolean).join(" · "),
    tooltip: [source.path, ...facts],
    spoken: [label, ...facts, folder === "." ? "" : folder].filter(Boolean).join(", "),
    icon: iconOf(source),
    kind: group === "missing" || group === "unread" ? group : "read",
    moveTo: freeLocation(source, known),
    action,
  };
}

function actionOf(source: Source, known: Sources): Action | null {
  return known.files.find(({ uri }) => uri === source.uri)?.action ?? null;
}

function shortTokens({ tokens, status }: Source, locale: string): string {
  return status === "missing" ? "" : t("{0} tok", new Intl.NumberFormat(locale).format(tokens));
}

function orderText(order: number, locale: string): string {
  return t("loaded {0}", ordinal(order, locale));
}

function iconOf(source: Source): string {
  if (source.status === "unreadable" || source.status === "truncated") {
    return "error";
  }
  const group = GROUP_OF[source.status];
  if (group === "missing") {
    return "circle-large-outline";
  }
  if (group === "unread") {
    return "circle-slash";
  }
  return source.role === "skill" ? "lightbulb" : group === "on-demand" ? "book" : "pass";
}

/** A free location of the same scope and role that the runtime reads. */
function freeLocation(source: Source, known: Sources): Source | undefined {
  const movable = source.status === "shadowed" || source.status === "ignored";
  const free = known.sources.find(
    (other) =>
      other.scope === source.scope && other.role === source.role && other.status === "missing",
  );
  return movable ? free : undefined;
}
