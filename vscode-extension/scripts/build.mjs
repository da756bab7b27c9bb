// Builds the extension and the panel's script; with --tests, the unit tests.
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
const node = { ...shared, platform: "node", target: "node20", format: "cjs" };
/** The client's library is most of the code, so it is loaded with the server, not at activation. */
const separateClient = {
  name: "separate-client",
  setup: (build) => {
    build.onResolve({ filter: /^\.\/client$/ }, () => ({ path: "./client.js", external: true }));
  },
};
const extension = {
  ...node,
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  external: ["vscode"],
  plugins: [separateClient],
};
const client = {
  ...node,
  entryPoints: ["src/server/client.ts"],
  outfile: "dist/client.js",
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
  ...node,
  entryPoints: readdirSync(path.join(here, "test/unit"))
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => `test/unit/${name}`),
  outdir: "out/test",
  external: ["vscode", "typescript"],
  sourcemap: "inline",
};

if (flags.has("--tests")) {
  rmSync(path.join(here, "out"), { recursive: true, force: true });
  await esbuild.build(tests);
} else if (flags.has("--watch")) {
  const contexts = await Promise.all([extension, client, panel].map((part) => esbuild.context(part)));
  await Promise.all(contexts.map((context) => context.watch()));
} else {
  rmSync(path.join(here, "dist"), { recursive: true, force: true });
  await Promise.all([extension, client, panel].map((part) => esbuild.build(part)));
}
