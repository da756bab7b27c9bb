// code-server: the VS Code workbench and its extension host, bound to loopback.
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { addLanguagePack } from "./language-pack.mjs";
import { CODE_SERVER, EXTENSIONS } from "./paths.mjs";
import { until } from "./sandbox.mjs";

/** No requests leave the machine: the gallery is a port without a listener. */
const NO_GALLERY = JSON.stringify({
  serviceUrl: "http://127.0.0.1:9/",
  itemUrl: "http://127.0.0.1:9/",
  resourceUrlTemplate: "http://127.0.0.1:9/",
});

/** Settings that disable walkthroughs, tips and unrelated features. */
const QUIET = {
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.reduceMotion": "on",
  "workbench.welcomePage.walkthroughs.openOnInstall": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.enableExperiments": false,
  "chat.disableAIFeatures": true,
  "telemetry.telemetryLevel": "off",
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "update.mode": "none",
  "git.enabled": false,
  "security.workspace.trust.startupPrompt": "always",
  "files.autoSave": "off",
  "editor.minimap.enabled": false,
  "editor.cursorBlinking": "solid",
  "workbench.localHistory.enabled": false, // it logs errors about files deleted by tests
  "window.commandCenter": false,
};

/**
 * Start code-server with our extension in `sandbox` at the loopback port `port`.
 *
 * `settings` are user settings. `machine` are settings of scope machine and machine-overridable:
 * code-server is a remote, and these apply reliably only from the machine settings file.
 * `language` is `{id, texts}`: the language of the workbench, see language-pack.mjs.
 */
export async function startCodeServer(
  sandbox,
  port,
  { settings = {}, machine = {}, trust = true, language } = {},
) {
  const user = path.join(sandbox.data, "user");
  writeJson(path.join(user, "User", "settings.json"), { ...QUIET, ...settings });
  writeJson(path.join(user, "Machine", "settings.json"), machine);
  if (language) {
    addLanguagePack(user, language.id, language.texts);
  }
  fs.writeFileSync(path.join(sandbox.data, "config.yaml"), "auth: none\n");
  linkExtensions(path.join(sandbox.data, "extensions"));
  const env = { ...sandbox.env, EXTENSIONS_GALLERY: NO_GALLERY };
  const common = [
    ["--config", path.join(sandbox.data, "config.yaml")],
    ["--user-data-dir", user],
    ["--extensions-dir", path.join(sandbox.data, "extensions")],
    ["--disable-telemetry", "--disable-update-check"],
  ].flat();

  const log = fs.openSync(path.join(sandbox.data, "code-server.log"), "w");
  const args = ["--auth", "none", "--bind-addr", `127.0.0.1:${port}`];
  const trustArgs = trust ? [] : ["--disable-workspace-trust"];
  const languageArgs = language ? ["--locale", language.id] : [];
  const child = spawn(
    CODE_SERVER,
    [...common, ...args, ...trustArgs, ...languageArgs, "--disable-getting-started-override"],
    { env, stdio: ["ignore", log, log], detached: true },
  );
  fs.closeSync(log);
  const server = { logs: path.join(user, "logs"), stop: () => stop(child) };
  try {
    await until("code-server answers", () => healthy(port), 30_000);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server;
}

/**
 * Create `folder` with the installed extensions: hard links, an eighth of the time of copies. Only the
 * editor's list of them is copied, because the editor writes it in place.
 */
function linkExtensions(folder) {
  try {
    execFileSync("cp", ["-al", EXTENSIONS, folder], { stdio: "pipe" });
  } catch {
    // On another file system. With timestamps: they are part of the server's compiled modules.
    fs.rmSync(folder, { recursive: true, force: true });
    execFileSync("cp", ["-a", EXTENSIONS, folder]);
    return;
  }
  const list = path.join(folder, "extensions.json");
  fs.rmSync(list);
  fs.copyFileSync(path.join(EXTENSIONS, "extensions.json"), list);
}

async function healthy(port) {
  try {
    return (await fetch(`http://127.0.0.1:${port}/healthz`)).ok;
  } catch {
    return false;
  }
}

/** End the process group: code-server, its extension host and our server. */
async function stop(child) {
  const exited = new Promise((resolve) => child.once("exit", resolve));
  for (const signal of ["SIGTERM", "SIGKILL"]) {
    if (!signalGroup(child.pid, signal)) {
      return;
    }
    const timeout = new Promise((resolve) => setTimeout(resolve, 5_000).unref());
    await Promise.race([exited, timeout]);
  }
}

function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

function writeJson(file, value) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, JSON.stringify(value, null, 2));
}

export function freePort() {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
