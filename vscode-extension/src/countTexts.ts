/** Counts as text, with singular and plural forms. */
import { t } from "./l10n";

export function errorsText(count: number): string {
  return count === 1 ? t("1 error") : t("{0} errors", count);
}

export function warningsText(count: number): string {
  return count === 1 ? t("1 warning") : t("{0} warnings", count);
}

export function problemsText(count: number): string {
  return count === 1 ? t("1 problem") : t("{0} problems", count);
}

/** The number is formatted for `locale`. */
export function tokensText(count: number, locale: string): string {
  return count === 1 ? t("1 token") : t("{0} tokens", new Intl.NumberFormat(locale).format(count));
}

/** A token estimate, compared with the budget unless that is 0. */
export function tokenEstimateText(count: number, budget: number, locale: string): string {
  const number = new Intl.NumberFormat(locale);
  if (budget > 0) {
    return t("{0} of {1} tokens (estimated)", number.format(count), number.format(budget));
  }
  return count === 1 ? t("1 token (estimated)") : t("{0} tokens (estimated)", number.format(count));
}

/** The size after a change, and the difference with its sign, such as "683 tokens, +43". */
export function sizeChangeText(before: number, after: number, locale: string): string {
  const signed = new Intl.NumberFormat(locale, { signDisplay: "always" });
  return `${tokensText(after, locale)}, ${after === before ? "±0" : signed.format(after - before)}`;
}
