/**
 * Messages in the language of the editor.
 *
 * The English sentence is the key, as in VS Code's bundles. Modules without access to the editor's
 * API, and their tests, can use it too.
 */
let bundle: Readonly<Record<string, string>> = {};

/** Use the translations in `messages`; a missing one falls back to English. */
export function useBundle(messages: Readonly<Record<string, string>> | undefined): void {
  bundle = messages ?? {};
}

/** The translated `message` with `{0}`, `{1}` … filled in. */
export function t(message: string, ...values: readonly (string | number)[]): string {
  const text = bundle[message] ?? message;
  return text.replace(/\{(\d+)\}/g, (placeholder, index: string) => {
    const value = values[Number(index)];
    return value === undefined ? placeholder : String(value);
  });
}

/** `text` with a final period, unless it ends a sentence already: texts of the server have none. */
export function asSentence(text: string): string {
  return /[.?!…]$/u.test(text) ? text : `${text}.`;
}
