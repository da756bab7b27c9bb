/** The steps of "Remember This": plan, ask the user what the plan requires, apply. */
import { t } from "../l10n";
import type { RememberParams, RememberPlan } from "../protocol";

/** What the flow needs from the editor. A dismissed question returns undefined. */
export interface RememberUi {
  plan(params: RememberParams): Promise<RememberPlan | undefined>;
  /** Apply the plan. Returns false, with nothing applied, if the file changed after planning. */
  apply(plan: RememberPlan): Promise<boolean>;
  open(plan: RememberPlan): Promise<void>;
  onDuplicate(plan: RememberPlan): Promise<"open" | "anyway" | undefined>;
  onSecret(plan: RememberPlan): Promise<"redact" | undefined>;
  onConsent(plan: RememberPlan): Promise<"create" | undefined>;
  /** The plan removes older items to make room. */
  onEvicts(plan: RememberPlan): Promise<"evict" | undefined>;
  /** Show the item and its place; returns what the user changed. Missing: save without asking. */
  onConfirm?: ((plan: RememberPlan, request: RememberParams) => Promise<Partial<RememberParams> | undefined>) | undefined;
  onRefused(message: string): Promise<void>;
}

export type RememberResult = "saved" | "opened" | "canceled" | "refused";

/** How often a plan is made because the file changed during planning. */
const MAX_PLANS = 4;

/** Plan and apply. Each question is asked once and the number of plans is limited, so this ends. */
export async function remember(params: RememberParams, ui: RememberUi): Promise<RememberResult> {
  let request = params;
  let plans = 0;
  let confirmedEvicts = "[]";
  let isConfirmed = !ui.onConfirm;
  for (;;) {
    const plan = await ui.plan(request);
    if (!plan) {
      return "canceled";
    }
    if (plan.outcome === "ready") {
      if (!isConfirmed) {
        const changes = await ui.onConfirm?.(plan, request);
        if (!changes) {
          return "canceled";
        }
        // Another place is shown before anything is saved there.
        isConfirmed = changes.section === undefined;
        request = { ...request, ...changes };
        continue; // the file may have changed during the question
      }
      const evicts = JSON.stringify(plan.evicts);
      if (evicts !== confirmedEvicts) {
        if (!(await ui.onEvicts(plan))) {
          return "canceled";
        }
        confirmedEvicts = evicts;
        continue; // the file may have changed during the question
      }
      plans += 1;
      if (await ui.apply(plan)) {
        return "saved";
      }
      if (plans < MAX_PLANS) {
        continue;
      }
      await ui.onRefused(t("The editor rejected the edit. Nothing was saved."));
      return "refused";
    }
    const answer = await askUser(plan, request, ui);
    if (typeof answer === "string") {
      return answer;
    }
    request = { ...request, ...answer };
  }
}

/** The parameters to add before planning again, or the final result. */
async function askUser(
  plan: RememberPlan,
  request: RememberParams,
  ui: RememberUi,
): Promise<Partial<RememberParams> | RememberResult> {
  if (plan.outcome === "duplicate" && !request.allowDuplicate) {
    const choice = await ui.onDuplicate(plan);
    if (choice === "open") {
      await ui.open(plan);
      return "opened";
    }
    return choice ? { allowDuplicate: true } : "canceled";
  }
  if (plan.outcome === "secret" && !request.redact) {
    return (await ui.onSecret(plan)) ? { redact: true } : "canceled";
  }
  if (plan.outcome === "consent" && !request.create) {
    return (await ui.onConsent(plan)) ? { create: true } : "canceled";
  }
  await ui.onRefused(plan.message || t("The server refused to save this."));
  return "refused";
}
