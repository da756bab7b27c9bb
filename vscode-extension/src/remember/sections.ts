/** The choices of "Choose Section…": the headings of both memories, the fitting one first. */
import { t } from "../l10n";
import type { RememberPlan, Scope } from "../protocol";

export interface SectionChoice {
  label: string;
  description: string;
  scope: Scope;
  /** The heading; undefined where the user is to name a new one. */
  section: string | undefined;
}

export interface SectionGroup {
  title: string;
  choices: SectionChoice[];
}

/** One group a memory, in the order project, user; a memory without a plan is left out. */
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
      description: section.suggested ? t("fits best") : "",
      scope,
      section: section.title,
    }));
  return [
    ...known,
    { label: t("New section…"), description: "", scope, section: undefined },
  ];
}
