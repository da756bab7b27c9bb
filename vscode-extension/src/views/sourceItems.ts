/** What the view of sources shows, worked out from the server's answer. */
import { problemsText } from "../counts";
import { t } from "../l10n";
import { statusName } from "../preview/model";
import type { Shortener } from "../preview/model";
import { ordinal } from "../preview/ordinal";
import type { Source, Sources } from "../protocol";

/** A file of the view. */
export interface SourceItem {
  /** Its own in the view, and the same whenever the view is drawn. */
  id: string;
  source: Source;
  label: string;
  description: string;
  /** Sentences, one a line. */
  tooltip: string;
  /** A theme icon. */
  icon: string;
  /** What may be done with it: the end of the view item's context value. */
  kind: "read" | "missing" | "unread";
  /** Where a file that is not read would be read; undefined where there is no free place. */
  moveTo: Source | undefined;
}

export interface SourceGroup {
  id: "loaded" | "skills" | "unread" | "missing";
  label: string;
  items: SourceItem[];
}

export interface Around {
  locale: string;
  shorten: Shortener;
  /** How many findings a file has. */
  problems: (uri: string) => number;
  /** Whether the user does not want to see a file in the view. */
  ignored: (uri: string) => boolean;
}

const UNREAD = new Set<Source["status"]>(["shadowed", "unreadable", "ignored", "empty"]);

/** The groups that hold something, what is read first and in load order. */
export function sourceGroups(known: Sources, around: Around): SourceGroup[] {
  const seen = known.sources.filter((item) => !around.ignored(item.uri));
  const groups: SourceGroup[] = [
    group("loaded", t("Read at the start of an agent"), known, around, seen.filter(isLoaded)),
    group("skills", t("Skills"), known, around, seen.filter(isSkill)),
    group("unread", t("Not read"), known, around, seen.filter(isUnread)),
    group("missing", t("Would be read"), known, around, seen.filter(isMissing)),
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
  around: Around,
  sources: Source[],
): SourceGroup {
  const ordered = [...sources].sort((a, b) => (a.order ?? Infinity) - (b.order ?? Infinity));
  const times = new Map<string, number>(); // a setting may name a file twice
  const items = ordered.map((source) => {
    const name = [id, source.scope, source.role, source.uri].join("/");
    const time = (times.get(name) ?? 0) + 1;
    times.set(name, time);
    return item(time === 1 ? name : `${name}#${time}`, source, known, around);
  });
  return { id, label, items };
}

function item(id: string, source: Source, known: Sources, around: Around): SourceItem {
  const problems = around.problems(source.uri);
  const path = around.shorten(source.path);
  const facts = [
    source.order === null ? statusName(source.status) : ordinal(source.order, around.locale),
    source.tokens > 0
      ? t("{0} tokens", new Intl.NumberFormat(around.locale).format(source.tokens))
      : "",
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
    moveTo: placeFor(source, known),
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

/** The free place of the same scope that this runtime reads. */
function placeFor(source: Source, known: Sources): Source | undefined {
  const movable = source.status === "shadowed" || source.status === "ignored";
  const free = known.sources.find(
    (other) =>
      other.scope === source.scope && other.role === source.role && other.status === "missing",
  );
  return movable ? free : undefined;
}

/** The name of a scope. */
export function scopeName(scope: string): string {
  const names: Record<string, string> = {
    user: t("user memory"),
    project: t("project memory"),
    global: t("global"),
    agent: t("agent"),
    run: t("run"),
  };
  return names[scope] ?? scope;
}
