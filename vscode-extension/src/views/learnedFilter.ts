/** The filter of the Learned view: scopes, kinds, tags and age, or the entries in the trash. */
import { t } from "../l10n";
import { scopeName } from "../preview/names";
import type { Entry } from "../protocol";

export const SCOPES = ["global", "agent", "run"];
export const KINDS = ["user", "feedback", "project", "reference"];

/** An entry that is older, or unused for longer, is a candidate for removal (days). */
const OLD_DAYS = 90;

export interface LearnedFilter {
  scopes?: string[];
  kinds?: string[];
  tags?: string[];
  /** Days since the last change. */
  older?: number;
  /** Days since the last use. */
  unused?: number;
}

/** One choice of the filter. */
export interface FilterChoice {
  label: string;
  group: "scopes" | "kinds" | "tags" | "age";
  value: string;
}

/** All choices; the tags are those of the shown entries. */
export function filterChoices(entries: readonly Entry[]): FilterChoice[] {
  const tags = [...new Set(entries.flatMap((entry) => entry.tags))].sort();
  return [
    ...SCOPES.map((value): FilterChoice => ({ label: scopeName(value), group: "scopes", value })),
    ...KINDS.map((value): FilterChoice => ({ label: value, group: "kinds", value })),
    ...tags.map((value): FilterChoice => ({ label: value, group: "tags", value })),
    { label: t("not changed for {0} days", OLD_DAYS), group: "age", value: "older" },
    { label: t("not used for {0} days", OLD_DAYS), group: "age", value: "unused" },
  ];
}

export function groupName(group: FilterChoice["group"]): string {
  const names = { scopes: t("Scope"), kinds: t("Kind"), tags: t("Tag"), age: t("Age") };
  return names[group];
}

/** The filter of the chosen choices; several of one group are alternatives. */
export function filterOf(chosen: readonly FilterChoice[]): LearnedFilter {
  const filter: LearnedFilter = {};
  for (const { group, value } of chosen) {
    if (group === "age") {
      filter[value === "older" ? "older" : "unused"] = OLD_DAYS;
    } else {
      filter[group] = [...(filter[group] ?? []), value];
    }
  }
  return filter;
}

/** Whether a choice is part of the filter. */
export function isChosen(filter: LearnedFilter, { group, value }: FilterChoice): boolean {
  if (group === "age") {
    return filter[value === "older" ? "older" : "unused"] !== undefined;
  }
  return filter[group]?.includes(value) ?? false;
}

/** The filter in few words; "" without one. */
export function filterText(filter: LearnedFilter): string {
  return [
    ...(filter.scopes ?? []).map(scopeName),
    ...(filter.kinds ?? []),
    ...(filter.tags ?? []).map((tag) => `#${tag}`),
    filter.older === undefined ? "" : t("not changed for {0} days", filter.older),
    filter.unused === undefined ? "" : t("not used for {0} days", filter.unused),
  ]
    .filter(Boolean)
    .join(", ");
}
