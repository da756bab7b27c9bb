// Builds the extension, the script of its panel and, with --tests, the unit tests.
import { readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import esbuild from "esbuild";

const here = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const flags = new Set(process.argv.slice(2));
const production = flags.has("--production");

const shared = {
  absWorkingDir: here,
  bundle: true,
  logLevel: "warning",
  minify: production,
  sourcemap: !production,
};
const extension = {
  ...shared,
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  platform: "node",
  target: "node20",
  format: "cjs",
  external: ["vscode"],
};
const panel = {
  ...shared,
  entryPoints: { preview: "src/webview/main.ts" },
  outdir: "dist",
  platform: "browser",
  target: "chrome120",
  format: "iife",
};
const tests = {
  ...shared,
  entryPoints: readdirSync(path.join(here, "test/unit"))
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => `test/unit/${name}`),
  outdir: "out/test",
  platform: "node",
  target: "node20",
  format: "cjs",
  external: ["vscode", "typescript"],
  sourcemap: "inline",
};

if (flags.has("--tests")) {
  rmSync(path.join(here, "out"), { recursive: true, force: true });
  await esbuild.build(tests);
} else if (flags.has("--watch")) {
  const contexts = await Promise.all([esbuild.context(extension), esbuild.context(panel)]);
  await Promise.all(contexts.map((context) => context.watch()));
} else {
  rmSync(path.join(here, "dist"), { recursive: true, force: true });
  await Promise.all([esbuild.build(extension), esbuild.build(panel)]);
}
