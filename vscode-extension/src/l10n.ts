/**
 * Messages in the language of the editor.
 *
 * The English sentence is the key, as in VS Code's own bundles, so that modules that know
 * nothing of the editor (and their tests) can speak too.
 */
let bundle: Readonly<Record<string, string>> = {};

/** Take the translations of `messages`; what is not in it stays English. */
export function useBundle(messages: Readonly<Record<string, string>> | undefined): void {
  bundle = messages ?? {};
}

/** The translated `message` with `{0}`, `{1}` … filled in. */
export function t(message: string, ...values: readonly (string | number)[]): string {
  const text = bundle[message] ?? message;
  return text.replace(/\{(\d+)\}/g, (hole, index: string) => {
    const value = values[Number(index)];
    return value === undefined ? hole : String(value);
  });
}
