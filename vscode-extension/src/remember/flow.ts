/** The conversation of "Remember This": what the server found, what the user chose, until it is filed. */
import { t } from "../l10n";
import type { RememberParams, RememberPlan } from "../protocol";

/** What the flow asks of the editor. A question that the user leaves unanswered gives undefined. */
export interface RememberUi {
  plan(params: RememberParams): Promise<RememberPlan | undefined>;
  /** Apply the plan; false where the file changed since it was made, and nothing was applied. */
  apply(plan: RememberPlan): Promise<boolean>;
  open(plan: RememberPlan): Promise<void>;
  onDuplicate(plan: RememberPlan): Promise<"open" | "anyway" | undefined>;
  onSecret(plan: RememberPlan): Promise<"redact" | undefined>;
  onConsent(plan: RememberPlan): Promise<"create" | undefined>;
  /** Other items have to make place. */
  onEvicts(plan: RememberPlan): Promise<"evict" | undefined>;
  onRefused(message: string): Promise<void>;
}

export type RememberResult = "filed" | "opened" | "cancelled" | "refused";

/** How often a plan is made anew because the file changed while it was made. */
const ATTEMPTS = 4;

/** Ask, answer and file. Each consent is asked for once, and attempts are counted, so the flow ends. */
export async function remember(params: RememberParams, ui: RememberUi): Promise<RememberResult> {
  let request = params;
  let attempts = 0;
  let agreed = "[]";
  for (;;) {
    const plan = await ui.plan(request);
    if (!plan) {
      return "cancelled";
    }
    if (plan.outcome === "ready") {
      const evicts = JSON.stringify(plan.evicts);
      if (evicts !== agreed) {
        if (!(await ui.onEvicts(plan))) {
          return "cancelled";
        }
        agreed = evicts;
        continue; // the file may have changed while the question stood there
      }
      attempts += 1;
      if (await ui.apply(plan)) {
        return "filed";
      }
      if (attempts < ATTEMPTS) {
        continue;
      }
      await ui.onRefused(t("The editor did not apply the edit. Nothing was filed."));
      return "refused";
    }
    const answer = await answerTo(plan, request, ui);
    if (typeof answer === "string") {
      return answer;
    }
    request = { ...request, ...answer };
  }
}

/** What to add to the request so that it can go on, or how the flow ends. */
async function answerTo(
  plan: RememberPlan,
  asked: RememberParams,
  ui: RememberUi,
): Promise<Partial<RememberParams> | RememberResult> {
  if (plan.outcome === "duplicate" && !asked.anyway) {
    const choice = await ui.onDuplicate(plan);
    if (choice === "open") {
      await ui.open(plan);
      return "opened";
    }
    return choice ? { anyway: true } : "cancelled";
  }
  if (plan.outcome === "secret" && !asked.redact) {
    return (await ui.onSecret(plan)) ? { redact: true } : "cancelled";
  }
  if (plan.outcome === "consent" && !asked.create) {
    return (await ui.onConsent(plan)) ? { create: true } : "cancelled";
  }
  await ui.onRefused(plan.message || t("The server refused to file this."));
  return "refused";
}
