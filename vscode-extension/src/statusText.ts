/** What the status bar says. Quiet: a number, and a mark only where something is wrong. */
import { errorsText, warningsText } from "./counts";
import { t } from "./l10n";
import type { Changed } from "./protocol";
import type { ServerState } from "./server/state";

export interface StatusText {
  text: string;
  detail: string;
  /** What a screen reader says in place of icons and figures. */
  spoken: string;
  severity: "none" | "warning" | "error";
  busy: boolean;
}

export function statusText(state: ServerState, prompt: Changed | undefined, locale: string): StatusText {
  if (state === "failed") {
    const text = t("Agent Memory does not run");
    return { text: `$(error) ${t("memory")}`, detail: text, spoken: text, severity: "error", busy: false };
  }
  if (!prompt) {
    const text = state === "off" ? t("Agent Memory is not started") : t("Agent Memory is starting");
    return { text: `$(book) ${t("memory")}`, detail: text, spoken: text, severity: "none", busy: state !== "off" };
  }
  return ofPrompt(prompt, state === "starting", locale);
}

function ofPrompt(prompt: Changed, busy: boolean, locale: string): StatusText {
  const number = new Intl.NumberFormat(locale);
  const count = number.format(prompt.tokens);
  const over = prompt.budget > 0 && prompt.tokens > prompt.budget;
  const problems = prompt.errors + prompt.warnings;
  const icon = prompt.errors > 0 ? "$(error)" : problems > 0 || over ? "$(warning)" : "$(book)";
  const size =
    prompt.budget > 0
      ? t("{0} of {1} tokens (estimate)", count, number.format(prompt.budget))
      : t("{0} tokens (estimate)", count);
  const found = `${errorsText(prompt.errors)}, ${warningsText(prompt.warnings)}`;
  return {
    text: `${icon} ${t("{0} tokens", count)}`,
    detail: `${prompt.runtime} · ${prompt.agent} · ${size} · ${found}`,
    spoken: t("Agent memory: {0}, {1}", size, found),
    severity: prompt.errors > 0 ? "error" : problems > 0 || over ? "warning" : "none",
    busy,
  };
}
