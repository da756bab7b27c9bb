// Builds agent-memory.vsix.
import { spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const vsce = path.join(here, "node_modules", "@vscode", "vsce", "vsce");
const vsix = path.join(here, "agent-memory.vsix");
const { repository } = JSON.parse(readFileSync(path.join(here, "package.json"), "utf8"));
const web = repository.url.replace(/\.git$/, "");

/** A larger file takes noticeably longer to install. */
const MAX_BYTES = 1_500_000;

const { status, stdout, stderr } = spawnSync(
  process.execPath,
  [
    vsce, "package", "--out", vsix,
    "--no-dependencies", // the code is one bundled file
    // vsce does not resolve relative links from the folder of the extension.
    "--baseContentUrl", `${web}/blob/main/${repository.directory}`,
    "--baseImagesUrl", `${web}/raw/main/${repository.directory}`,
    // vsce mistakes the token prefixes of our secret scanner for tokens.
    "--allow-package-secrets", "slack",
  ],
  { cwd: here, stdio: ["ignore", "pipe", "pipe"], encoding: "utf8", env: { ...process.env, GITHUB_ACTIONS: "" } },
);
process.stdout.write(stdout);
process.stderr.write(stderr);
if (status !== 0) {
  process.exit(status ?? 1);
}
// vsce asks before it publishes such a package.
if (/\bWARNING\b/.test(stdout + stderr)) {
  console.error("agent-memory.vsix: vsce warns, see above");
  process.exit(1);
}
const { size } = statSync(vsix);
if (size > MAX_BYTES) {
  console.error(`agent-memory.vsix has ${size} bytes, more than ${MAX_BYTES}: see scripts/bundle.mjs`);
  process.exit(1);
}
