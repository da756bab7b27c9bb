/** Ordinals (1st, 2nd, 3rd …) in English and German; the plain number in other languages. */
const ENGLISH: Record<string, string> = { one: "st", two: "nd", few: "rd", other: "th" };

export function ordinal(value: number, locale: string): string {
  const language = locale.split("-")[0];
  if (language === "en") {
    const rule = new Intl.PluralRules("en", { type: "ordinal" }).select(value);
    return `${value}${ENGLISH[rule] ?? "th"}`;
  }
  return language === "de" ? `${value}.` : String(value);
}
