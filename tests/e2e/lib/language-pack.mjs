// VS Code in another language: a language pack, made here with no more than a journey looks for.
import fs from "node:fs";
import path from "node:path";

/**
 * Give the VS Code of `user` (its folder of user data) a pack for `language`, as its list of
 * installed packs would have one from the marketplace. Without a pack the editor is in English,
 * whatever it is asked for.
 *
 * `texts` maps modules of VS Code to the messages that are translated; what is not named stays
 * English. Extensions take their own translations by the language of the editor.
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
