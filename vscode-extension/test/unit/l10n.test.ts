import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { t, useBundle } from "../../src/l10n";

afterEach(() => {
  useBundle(undefined);
});

test("without a bundle the English sentence is used, with its values", () => {
  assert.equal(t("{0} of {1} tokens", 3, "4,000"), "3 of 4,000 tokens");
});

test("a translation may use the values in another order", () => {
  useBundle({ "{0} of {1}": "von {1} sind es {0}" });
  assert.equal(t("{0} of {1}", 3, 4), "von 4 sind es 3");
  assert.equal(t("not translated"), "not translated");
});

test("a placeholder in a value is not filled in", () => {
  assert.equal(t("{0} and {1}", "{1}", "x"), "{1} and x");
});

test("a placeholder without a value stays visible", () => {
  assert.equal(t("{0} and {1}", "a"), "a and {1}");
});
