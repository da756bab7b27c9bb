/** Every message is translatable, and existing German texts fit; `make release-check` lists missing ones. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import * as path from "node:path";
import { test } from "node:test";
import * as ts from "typescript";

const ROOT = path.resolve(__dirname, "../..");
type Words = Record<string, string>;

function words(name: string): Words {
  return JSON.parse(readFileSync(path.join(ROOT, name), "utf8")) as Words;
}

/** The first arguments of all `t` calls in the sources; each must be a literal. */
function sentences(): string[] {
  const found = new Set<string>();
  const files = readdirSync(path.join(ROOT, "src"), { recursive: true, encoding: "utf8" });
  for (const name of files.filter((item) => item.endsWith(".ts"))) {
    const file = path.join(ROOT, "src", name);
    const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest);
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === "t") {
        const [first] = node.arguments;
        assert.ok(first && ts.isStringLiteralLike(first), `${name}: the argument of t() must be a literal`);
        found.add(first.text);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return [...found].sort();
}

function placeholders(text: string): string[] {
  return (text.match(/\{\d+\}/g) ?? []).sort();
}

function commands(text: string): string[] {
  return (text.match(/\]\([^)]*\)/g) ?? []).sort();
}

/** Code in backticks, which is the same in every language. */
function code(text: string): string[] {
  return [...new Set(text.match(/`[^`]*`/g))].sort();
}

test("the bundle for translators has exactly the messages of the code", () => {
  const bundle = words("l10n/bundle.l10n.json");
  assert.deepEqual(Object.keys(bundle).sort(), sentences());
  assert.ok(Object.entries(bundle).every(([key, value]) => key === value));
});

test("German messages have the placeholders of the message", () => {
  const german = words("l10n/bundle.l10n.de.json");
  for (const [english, translated] of Object.entries(german)) {
    assert.ok(translated.trim() !== "", english);
    assert.deepEqual(placeholders(translated), placeholders(english), english);
  }
});

test("the walkthrough has its images in both languages", () => {
  for (const texts of [words("package.nls.json"), words("package.nls.de.json")]) {
    const pictures = Object.keys(texts).filter((key) => key.endsWith(".picture"));
    assert.equal(pictures.length, 4);
    for (const key of pictures) {
      assert.ok(existsSync(path.join(ROOT, texts[key] ?? "")), key);
    }
  }
});

test("German manifest texts have the links and the code of the text", () => {
  const german = words("package.nls.de.json");
  for (const [key, text] of Object.entries(words("package.nls.json"))) {
    const translated = german[key] ?? text; // VS Code shows the English text
    assert.ok(translated.trim() !== "", key);
    assert.deepEqual(commands(translated), commands(text), key);
    assert.deepEqual(code(translated), code(text), key);
  }
});
