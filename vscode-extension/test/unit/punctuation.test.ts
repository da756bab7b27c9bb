import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { asSentence } from "../../src/l10n";

const ROOT = path.resolve(__dirname, "..", "..");
const SOURCE = path.join(ROOT, "src");
const FILES = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
const END = String.raw`[.?!]"`;

/** The first argument of each call that shows a message, with a part of what follows. */
function messages(): string[] {
  return FILES.flatMap((name) => {
    const text = readFileSync(path.join(SOURCE, name), "utf8");
    const calls = text.matchAll(/show(?:Information|Warning|Error)Message\(\s*([\s\S]{0,200})/gu);
    return [...calls].map(([, shown]) => `${name}: ${shown?.replace(/\s+/gu, " ") ?? ""}`);
  });
}

test("each message is a sentence", () => {
  const sentence = new RegExp(
    String.raw`^\S+ (?:t\("[^"]*${END}|asSentence\(|t\("Agent Memory: \{0\}", asSentence|` +
      String.raw`scope === "user" \? t\("[^"]*${END}, [\w.]+\) : t\("[^"]*${END}|` +
      "(?:result === \"saved\" \\? message : )?`\\$\\{message\\} \\$\\{t\\(\"[^\"]*" + END + ")",
    "u",
  );
  const found = messages();
  assert.ok(found.length > 20, `only ${found.length} calls found`);
  assert.deepEqual(found.filter((call) => !sentence.test(call)), []);
});

test("a text of several sentences ends with punctuation, in each language, and quotes are those of the language", () => {
  for (const [language, name] of [["en", "bundle.l10n.json"], ["de", "bundle.l10n.de.json"]] as const) {
    const bundle = JSON.parse(readFileSync(path.join(ROOT, "l10n", name), "utf8")) as Record<string, string>;
    const texts = Object.values(bundle);
    const several = texts.filter((text) => /[a-z)}'“][.?!] [A-ZÄÖÜ{]/u.test(text));
    assert.ok(several.length > 10);
    assert.deepEqual(several.filter((text) => !/[.?!…:]$|\{\d\}\)?$/u.test(text)), []);
    const wrong = language === "en" ? /[“”„‘’]/u : /(?<![\p{L}\d`])['"][\p{L}{]/u;
    assert.deepEqual(texts.filter((text) => wrong.test(text.replaceAll(/`[^`]*`/gu, ""))), []);
  }
});

test("a final period is added to a text of the server", () => {
  assert.equal(asSentence("Added 2 items"), "Added 2 items.");
  assert.equal(asSentence("Create it?"), "Create it?");
});
