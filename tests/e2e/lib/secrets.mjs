// Nothing in the shape of a token stands in the repository: each run makes one up.
import { randomInt } from "node:crypto";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** A random string in the shape of a GitHub token. */
export function madeUpToken() {
  const letters = Array.from({ length: 36 }, () => LETTERS[randomInt(LETTERS.length)]);
  return ["ghp", letters.join("")].join("_");
}
