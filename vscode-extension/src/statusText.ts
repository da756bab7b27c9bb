/** The texts of the status bar item: a token count, with an icon if there are problems. */
import { errorsText, tokenEstimateText, tokensText, warningsText } from "./countTexts";
import { t } from "./l10n";
import type { ChangeEvent } from "./protocol";
import type { ServerState } from "./server/state";

export interface StatusText {
  text: string;
  detail: string;
  /** The text for screen readers, without icons. */
  spoken: string;
  severity: "none" | "warning" | "error";
  busy: boolean;
}

export function statusText(state: ServerState, prompt: ChangeEvent | undefined, locale: string): StatusText {
  if (state === "failed") {
    const text = t("Agent Memory isn't running");
    return { text: `$(error) ${t("memory")}`, detail: text, spoken: text, severity: "error", busy: false };
  }
  if (!prompt) {
    const text = state === "off" ? t("Agent Memory is not started") : t("Agent Memory is starting");
    return { text: `$(book) ${t("memory")}`, detail: text, spoken: text, severity: "none", busy: state !== "off" };
  }
  return promptStatus(prompt, state === "starting", locale);
}

function promptStatus(prompt: ChangeEvent, busy: boolean, locale: string): StatusText {
  const isOverBudget = prompt.budget > 0 && prompt.tokens > prompt.budget;
  const isWarning = prompt.errors + prompt.warnings > 0 || isOverBudget;
  const icon = prompt.errors > 0 ? "$(error)" : isWarning ? "$(warning)" : "$(book)";
  const size = tokenEstimateText(prompt.tokens, prompt.budget, locale);
  const problems = `${errorsText(prompt.errors)}, ${warningsText(prompt.warnings)}`;
  return {
    text: `${icon} ${tokensText(prompt.tokens, locale)}`,
    detail: `${prompt.runtime} · ${prompt.agent} · ${size} · ${problems}`,
    spoken: t("Agent memory: {0}, {1}", size, problems),
    severity: prompt.errors > 0 ? "error" : isWarning ? "warning" : "none",
    busy,
  };
}
