/** The choices of "Choose Section…": the headings of both memory files, the best match first. */
import { t } from "../l10n";
import type { RememberPlan, Scope } from "../protocol";

export interface SectionChoice {
  label: string;
  description: string;
  scope: Scope;
  /** The heading; undefined for a new section. */
  section: string | undefined;
}

export interface SectionGroup {
  title: string;
  choices: SectionChoice[];
}

/** One group per memory file: project, then user. A refused plan has no group. */
export function sectionGroups(
  plans: Partial<Record<Scope, RememberPlan | undefined>>,
): SectionGroup[] {
  const titles = { project: t("Project Memory"), user: t("User Memory") };
  return (["project", "user"] as const).flatMap((scope) => {
    const plan = plans[scope];
    return plan && plan.outcome !== "refused"
      ? [{ title: titles[scope], choices: choices(plan, scope) }]
      : [];
  });
}

function choices(plan: RememberPlan, scope: Scope): SectionChoice[] {
  const known = [...plan.sections]
    .sort((a, b) => Number(b.suggested) - Number(a.suggested))
    .map((section) => ({
      label: section.title,
      description: section.suggested ? t("best match") : "",
      scope,
      section: section.title,
    }));
  return [
    ...known,
    { label: t("New section…"), description: "", scope, section: undefined },
  ];
}
