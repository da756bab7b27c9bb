// VS Code in another language: a minimal language pack with the texts that a journey checks.
import fs from "node:fs";
import path from "node:path";

/**
 * Install a pack for `language` in the user data folder `user`, like one from the marketplace.
 * Without a pack the editor falls back to English.
 *
 * `texts` maps VS Code modules to their translated messages; others stay English. Extensions select
 * their own translations by the language of the editor.
 */
export function addLanguagePack(user, language, texts) {
  const file = path.join(user, `language-${language}.json`);
  const id = `tides.language-${language}`;
  const pack = {
    hash: id,
    label: language,
    extensions: [{ extensionIdentifier: { id }, version: "1.0.0" }],
    translations: { vscode: file },
  };
  fs.mkdirSync(user, { recursive: true });
  fs.writeFileSync(file, JSON.stringify({ version: "1.0.0", contents: texts }));
  fs.writeFileSync(path.join(user, "languagepacks.json"), JSON.stringify({ [language]: pack }));
}
