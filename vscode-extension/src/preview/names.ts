/** Translated names of segment kinds, source statuses and scopes. */
import { t } from "../l10n";
import type { BlockRole, SegmentKind, SourceStatus } from "../protocol";

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

/** The name of a text in the request to the model. */
export function roleName(role: BlockRole): string {
  const names: Record<BlockRole, string> = {
    system: t("System message"),
    developer: t("Developer message"),
    user: t("User message"),
  };
  return names[role];
}

export function statusName(status: SourceStatus): string {
  const names: Record<SourceStatus, string> = {
    loaded: t("loaded"),
    listed: t("listed"),
    missing: t("not created"),
    empty: t("empty"),
    shadowed: t("not read"),
    truncated: t("truncated"),
    unreadable: t("unreadable"),
    ignored: t("not read"),
  };
  return names[status];
}

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
