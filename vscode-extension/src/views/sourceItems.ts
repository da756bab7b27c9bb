/** The contents of the Sources view, computed from the server's answer. */
import { problemsText, tokensText } from "../countTexts";
import { t } from "../l10n";
import { scopeName, statusName } from "../preview/names";
import { ordinal } from "../preview/ordinal";
import type { Shortener } from "../preview/segmentView";
import type { Source, Sources } from "../protocol";

/** A file in the view. */
export interface SourceItem {
  /** Unique in the view and stable across refreshes. */
  id: string;
  source: Source;
  label: string;
  description: string;
  /** One sentence per line. */
  tooltip: string;
  /** A theme icon. */
  icon: string;
  /** The end of the view item's context value; decides which actions the menu offers. */
  kind: "read" | "missing" | "unread";
  /** A free location that the runtime reads; undefined if the file is read or none is free. */
  moveTo: Source | undefined;
}

export interface SourceGroup {
  id: "loaded" | "skills" | "unread" | "missing";
  label: string;
  items: SourceItem[];
}

export interface ItemOptions {
  locale: string;
  shorten: Shortener;
  /** The number of findings in a file. */
  problems: (uri: string) => number;
  /** Whether the user has hidden a file from the view. */
  isHidden: (uri: string) => boolean;
}

const UNREAD = new Set<Source["status"]>(["shadowed", "unreadable", "ignored", "empty"]);

/** The non-empty groups: loaded files first, each group in load order. */
export function sourceGroups(known: Sources, options: ItemOptions): SourceGroup[] {
  const visible = known.sources.filter((item) => !options.isHidden(item.uri));
  const groups: SourceGroup[] = [
    group("loaded", t("Loaded at startup"), known, options, visible.filter(isLoaded)),
    group("skills", t("Skills"), known, options, visible.filter(isSkill)),
    group("unread", t("Not read"), known, options, visible.filter(isUnread)),
    group("missing", t("Not created yet"), known, options, visible.filter(isMissing)),
  ];
  return groups.filter((item) => item.items.length > 0);
}

function isSkill(source: Source): boolean {
  return source.role === "skill";
}
function isLoaded(source: Source): boolean {
  return !isSkill(source) && !UNREAD.has(source.status) && source.status !== "missing";
}
function isUnread(source: Source): boolean {
  return !isSkill(source) && UNREAD.has(source.status);
}
function isMissing(source: Source): boolean {
  return !isSkill(source) && source.status === "missing";
}

function group(
  id: SourceGroup["id"],
  label: string,
  known: Sources,
  options: ItemOptions,
  sources: Source[],
): SourceGroup {
  const ordered = [...sources].sort((a, b) => (a.order ?? Infinity) - (b.order ?? Infinity));
  const counts = new Map<string, number>(); // a setting may name a file twice
  const items = ordered.map((source) => {
    const name = [id, source.scope, source.role, source.uri].join("/");
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return item(count === 1 ? name : `${name}#${count}`, source, known, options);
  });
  return { id, label, items };
}

function item(id: string, source: Source, known: Sources, options: ItemOptions): SourceItem {
  const problems = options.problems(source.uri);
  const path = options.shorten(source.path);
  const facts = [
    source.order === null ? statusName(source.status) : ordinal(source.order, options.locale),
    source.tokens > 0 ? tokensText(source.tokens, options.locale) : "",
    problems > 0 ? problemsText(problems) : "",
  ];
  return {
    id,
    source,
    label: source.role === "skill" && source.name ? source.name : path,
    description: facts.filter((fact) => fact !== "").join(" · "),
    tooltip: [source.path, scopeName(source.scope), source.reason]
      .filter((line) => line !== "")
      .join("\n"),
    icon: iconOf(source, problems),
    kind: source.status === "missing" ? "missing" : UNREAD.has(source.status) ? "unread" : "read",
    moveTo: freeLocation(source, known),
  };
}

function iconOf(source: Source, problems: number): string {
  if (source.status === "unreadable" || source.status === "truncated") {
    return "error";
  }
  if (source.status === "missing") {
    return "circle-large-outline";
  }
  if (UNREAD.has(source.status)) {
    return "circle-slash";
  }
  return problems > 0 ? "warning" : source.role === "skill" ? "lightbulb" : "pass";
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
