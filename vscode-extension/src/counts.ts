/** Numbers of things, in words. */
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
