/** The texts of the status items: the tokens of the prompt, and separately the problems of its files. */
import { errorsText, tokenEstimateText, tokensText, warningsText } from "./countTexts";
import { t } from "./l10n";
import type { ChangeEvent } from "./protocol";
import type { ServerState } from "./server/state";

export interface StatusText {
  /** The status bar: tokens, then a mark with the number of problems. */
  bar: string;
  tooltip: string;
  /** The language status: no icon and no number twice. */
  text: string;
  detail: string;
  /** The text for screen readers, without icons. */
  spoken: string;
  severity: "none" | "warning" | "error";
  busy: boolean;
}

export function statusText(state: ServerState, prompt: ChangeEvent | undefined, locale: string): StatusText {
  if (state === "failed") {
    return withoutPrompt("$(error)", t("Agent Memory isn't running"), "error", false);
  }
  if (prompt) {
    return promptStatus(prompt, state === "starting", locale);
  }
  return state === "off"
    ? withoutPrompt("$(book)", t("Agent Memory is not started"), "none", false)
    : withoutPrompt("$(loading~spin)", t("Agent Memory is starting"), "none", true);
}

function withoutPrompt(icon: string, text: string, severity: StatusText["severity"], busy: boolean): StatusText {
  return { bar: `${icon} ${t("memory")}`, tooltip: text, text, detail: "", spoken: text, severity, busy };
}

function promptStatus(prompt: ChangeEvent, busy: boolean, locale: string): StatusText {
  const { tokens, budget, errors, warnings, runtime, agent } = prompt;
  const number = new Intl.NumberFormat(locale);
  const isOverBudget = budget > 0 && tokens > budget;
  const size = tokenEstimateText(tokens, budget, locale);
  const facts = [
    t("Prompt of {0} for the agent {1}: {2}.", runtime, agent, size),
    isOverBudget ? t("The prompt is over its budget.") : "",
    errors + warnings > 0 ? t("Problems in its files: {0}, {1}.", errorsText(errors), warningsText(warnings)) : "",
  ].filter((fact) => fact !== "");
  const mark = errors > 0 ? ` $(error) ${number.format(errors)}` : warnings > 0 ? ` $(warning) ${number.format(warnings)}` : "";
  const count = isOverBudget ? t("{0} of {1}", number.format(tokens), number.format(budget)) : number.format(tokens);
  return {
    bar: `${busy ? "$(loading~spin)" : "$(book)"} ${count}${mark}`,
    tooltip: facts.join("\n"),
    text: t("Agent Memory: {0}", tokensText(tokens, locale)),
    detail: runtime,
    spoken: facts.join(" "),
    severity: isOverBudget ? "warning" : "none",
    busy,
  };
}
