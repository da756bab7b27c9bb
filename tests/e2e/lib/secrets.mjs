// The repository contains no token-shaped data: each run generates it.
import { randomInt } from "node:crypto";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** A random string with the format of a GitHub token. */
export function generateToken() {
  const letters = Array.from({ length: 36 }, () => LETTERS[randomInt(LETTERS.length)]);
  return ["ghp", letters.join("")].join("_");
}
