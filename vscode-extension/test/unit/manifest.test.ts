/** The manifest agrees with the code, the server and the documentation. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import * as path from "node:path";
import { test } from "node:test";
import { MEMORY_PATHS } from "../../src/filePatterns";

const ROOT = path.resolve(__dirname, "../..");

interface Setting {
  type: string;
  default: unknown;
  scope: string;
  markdownDescription: string;
  enum?: string[];
  markdownEnumDescriptions?: string[];
  order: number;
  properties?: Record<string, { enum: string[] }>;
}

interface Manifest {
  name: string;
  publisher: string;
  license: string;
  keywords: string[];
  categories: string[];
  engines: { vscode: string };
  version: string;
  icon: string;
  private?: boolean;
  repository: { url: string };
  homepage: string;
  bugs: { url: string };
  extensionKind: string[];
  activationEvents: string[];
  capabilities: { untrustedWorkspaces: { supported: string; description: string; restrictedConfigurations: string[] }; virtualWorkspaces: { supported: boolean; description: string } };
  contributes: {
    commands: { command: string; title: string; category: string; icon?: string; enablement?: string }[];
    menus: Record<string, { command?: string; submenu?: string; when?: string; group?: string }[]>;
    submenus: { id: string }[];
    configuration: { title: string; order: number; properties: Record<string, Setting> }[];
    keybindings: { command: string; key: string; mac: string }[];
    languageModelTools: { name: string; toolReferenceName: string; modelDescription: string }[];
  };
}

function read(name: string): string {
  return readFileSync(path.join(ROOT, name), "utf8");
}

const text = read("package.json");
const manifest = JSON.parse(text) as Manifest;
const words = JSON.parse(read("package.nls.json")) as Record<string, string>;
const { commands, menus, submenus, configuration } = manifest.contributes;
const settings = Object.assign({}, ...configuration.map((group) => group.properties)) as Record<string, Setting>;
const sources = readdirSync(path.join(ROOT, "src"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => read(path.join("src", name)));

interface Server {
  keys: string[];
  defaults: Record<string, unknown>;
  runtimes: string[];
  version: string;
  repository: string;
  rules: string[];
}

const SERVER = JSON.parse(
  execFileSync(
    "python3",
    [
      "-c",
      "import json; from agent_memory import __version__; from agent_memory.runtimes import BY_ID; from agent_memory.config.settings import KEYS, Settings; " +
        "from agent_memory.base.version import REPOSITORY; from agent_memory.lint.rules import RULES; " +
        "s = Settings(); print(json.dumps({'keys': list(KEYS), 'defaults': {k: getattr(s, f) for k, f in KEYS.items()}, 'runtimes': list(BY_ID), 'version': __version__, 'repository': REPOSITORY, 'rules': [r.code for r in RULES]}))",
    ],
    { encoding: "utf8", env: { ...process.env, PYTHONPATH: path.join(ROOT, "..", "server") } },
  ),
) as Server;

/** Settings of the extension only, unknown to the command line. */
const OWN = ["codeLens", "inlayHints", "interpreter", "importStrategy", "trace.server", "status.warnOnSave", "remember.confirm"];

test("package.nls.json has exactly the texts of the manifest", () => {
  const used = [...text.matchAll(/%([\w.-]+)%"/g)].map((match) => match[1]);
  assert.deepEqual([...new Set(used)].sort(), Object.keys(words).sort());
});

test("every command has a handler, and every handler is a command", () => {
  const handled = sources.flatMap((source) =>
    [...source.matchAll(/^ {4}"(agentMemory\.[\w.]+)": /gm)].map((match) => match[1]),
  );
  assert.deepEqual(handled.sort(), commands.map((item) => item.command).sort());
});

test("every command used in the code exists", () => {
  const declared = new Set(commands.map((item) => item.command));
  const called = sources.flatMap((source) =>
    [...source.matchAll(/command: "(agentMemory\.(?!server\.)[\w.]+)"/g)].map((match) => match[1] ?? ""),
  );
  assert.ok(called.length > 0);
  assert.deepEqual(called.filter((name) => !declared.has(name)), []);
});

test("commands share one category", () => {
  assert.deepEqual([...new Set(commands.map((item) => item.category))], ["Agent Memory"]);
});

test("menu entries name existing commands or submenus and have a condition", () => {
  const declared = new Set(commands.map((item) => item.command));
  const sub = new Set(submenus.map((item) => item.id));
  for (const [menu, items] of Object.entries(menus)) {
    for (const item of items) {
      assert.ok(item.command ? declared.has(item.command) : sub.has(item.submenu ?? ""), menu);
      assert.ok(item.when ?? sub.has(menu), `${menu}: ${item.command ?? item.submenu ?? ""}`);
    }
  }
});

test("exactly the commands shown as icons have an icon", () => {
  const icons = Object.values(menus).flat().filter((item) => /^(inline|navigation)/.test(item.group ?? ""));
  const shown = new Set(icons.map((item) => item.command));
  const drawn = commands.filter((item) => item.icon).map((item) => item.command);
  assert.deepEqual(drawn.sort(), [...shown].sort());
});

test("row commands are not in the palette, and writing commands need trust", () => {
  const ofRows = new Set((menus["view/item/context"] ?? []).map((item) => item.command));
  for (const name of ofRows) {
    const entry = menus.commandPalette?.find((item) => item.command === name);
    assert.equal(entry?.when, "false", name);
  }
  for (const { command, enablement } of commands) {
    const writes = /\.(remember|create|move|promote|forget|restore)/.test(command);
    assert.equal(enablement, writes ? "isWorkspaceTrusted" : undefined, command);
  }
});

test("every setting has a type, scope, default and descriptions", () => {
  for (const [name, setting] of Object.entries(settings)) {
    assert.match(setting.type, /^(string|boolean|integer|array|object)$/, name);
    assert.match(setting.scope, /^(window|resource|machine|machine-overridable)$/, name);
    assert.match(setting.markdownDescription, /^%.+%$/, name);
    assert.notEqual(setting.default, undefined, name);
    assert.equal(setting.enum?.length, setting.markdownEnumDescriptions?.length, name);
  }
});

test("the settings are those of the server and the extension, with the server's defaults", () => {
  const names = [...SERVER.keys, ...OWN].map((name) => `agentMemory.${name}`);
  assert.deepEqual(Object.keys(settings).sort(), names.sort());
  for (const [key, value] of Object.entries(SERVER.defaults)) {
    assert.deepEqual(settings[`agentMemory.${key}`]?.default, value, key);
  }
});

test("the runtime setting lists the server's runtimes", () => {
  assert.deepEqual(settings["agentMemory.runtime"]?.enum, ["auto", ...SERVER.runtimes]);
});

test("extension, server and changelog have the same version", () => {
  assert.equal(manifest.version, SERVER.version);
  assert.ok(read("CHANGELOG.md").includes(`## ${manifest.version}`));
});

test("the README names every command and every setting", () => {
  const readme = read("README.md");
  for (const item of commands) {
    const title = words[item.title.slice(1, -1)] ?? "";
    const hidden = menus.commandPalette?.some((entry) => entry.command === item.command && entry.when === "false");
    assert.ok(hidden === true || readme.includes(`Agent Memory: ${title}`), title);
  }
  for (const name of Object.keys(settings)) {
    assert.ok(readme.includes(`\`${name}\``), name);
  }
});

test("settings that name programs, templates or files are restricted", () => {
  const { restrictedConfigurations, supported, description } = manifest.capabilities.untrustedWorkspaces;
  assert.equal(supported, "limited");
  assert.match(description, /^%.+%$/);
  for (const name of ["interpreter", "importStrategy", "templateInterpreter", "memoryTemplate", "sources", "projectRoot"]) {
    assert.ok(restrictedConfigurations.includes(`agentMemory.${name}`), name);
  }
  assert.ok(restrictedConfigurations.every((name) => name in settings));
});

test("interpreter settings are machine settings", () => {
  for (const name of ["interpreter", "templateInterpreter"]) {
    assert.equal(settings[`agentMemory.${name}`]?.scope, "machine-overridable");
  }
});

test("a workspace cannot allow folders outside of the project", () => {
  assert.equal(settings["agentMemory.writeFolders"]?.scope, "machine");
  assert.ok(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations.includes("agentMemory.writeFolders"));
});

test("activation needs no file search", () => {
  assert.deepEqual(manifest.activationEvents.filter((event) => /\*|onStartupFinished/.test(event)), []);
  const names = manifest.activationEvents.flatMap((event) => /^workspaceContains:(.*)/.exec(event)?.[1] ?? []);
  assert.deepEqual(new Set(names), MEMORY_PATHS);
});

test("the manifest can be published", () => {
  assert.equal(manifest.private, undefined);
  assert.equal(manifest.repository.url, `${SERVER.repository}.git`);
  assert.ok(manifest.homepage.startsWith(SERVER.repository));
  assert.equal(manifest.bugs.url, `${SERVER.repository}/issues`);
  assert.deepEqual(manifest.extensionKind, ["workspace"]);
});

test("the manifest has what both galleries require, and the package its texts", () => {
  assert.match(`${manifest.publisher}.${manifest.name}`, /^[a-z0-9-]+\.[a-z0-9-]+$/);
  assert.match(manifest.version, /^\d+\.\d+\.\d+$/);
  assert.match(manifest.engines.vscode, /^\^1\.\d+\.0$/);
  assert.equal(manifest.license, "MIT");
  // What people search for; a gallery takes at most 30.
  const searched = ["AGENTS.md", "CLAUDE.md", "claude", "codex", "copilot", "mcp", "skills", "system prompt", "tokens"];
  assert.deepEqual(searched.filter((word) => !manifest.keywords.includes(word)), []);
  assert.ok(manifest.keywords.length <= 30);
  assert.deepEqual(manifest.categories, ["AI", "Linters"]); // more specific than "Other"
  assert.match(read("LICENSE"), /^MIT License/);
  const packed = new Set(read(".vscodeignore").split("\n"));
  for (const name of ["package.json", "README.md", "CHANGELOG.md", "LICENSE"]) {
    assert.ok(packed.has(`!${name}`), name);
  }
});

test("the images of the README are in the repository", () => {
  const images = [...read("README.md").matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map((match) => match[1] ?? "");
  assert.ok(images.length > 0);
  for (const image of images) {
    assert.match(image, /^\.\.\/docs\/images\/[\w-]+\.(png|gif)$/); // a gallery shows no SVG
    assert.ok(readFileSync(path.join(ROOT, image)).length < 500_000, image);
  }
});

test("the README shows the extension first, says where it works and answers questions", () => {
  const readme = read("README.md");
  const [, introduction = ""] = /^# (.*?)^## /ms.exec(readme) ?? [];
  assert.match(introduction, /!\[[^\]]+\]\(/);
  assert.doesNotMatch(introduction, /^- .*\n\n- /m); // a blank line splits the list
  const rows = section(readme, "Where it works").split("\n").filter((line) => line.startsWith("| "));
  const desktop = manifest.engines.vscode.replace(/^\^(.*)\.0$/, "VS Code $1 ");
  for (const place of [desktop, "Remote SSH", "WSL", "Dev Containers", "Codespaces", "code-server", "VS Code for the Web", "vscode.dev", "Restricted mode"]) {
    assert.ok(rows.some((row) => row.includes(place)), place);
  }
  const questions = section(readme, "Questions").match(/^\*\*.+\*\* \S/gm) ?? [];
  assert.ok(questions.length >= 5, `${questions.length} questions with an answer`);
});

function section(page: string, title: string): string {
  return page.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? "";
}

test("settings are in groups, each with an order", () => {
  assert.deepEqual(configuration.map((group) => group.order), configuration.map((_, index) => index + 1));
  for (const { title, properties } of configuration) {
    const orders = Object.values(properties).map(({ order }) => order);
    assert.deepEqual(orders, orders.map((_, index) => index + 1), title);
  }
  assert.equal(Object.keys(configuration[0]?.properties ?? {})[0], "agentMemory.runtime");
});

test("rule codes and severities are completed", () => {
  const { properties = {} } = settings["agentMemory.rules"] ?? {};
  assert.deepEqual(Object.keys(properties), SERVER.rules);
  assert.deepEqual(properties.AM501?.enum, ["error", "warning", "info", "off"]);
});

test("every tool of the manifest is registered", () => {
  const registered = sources.flatMap((source) => [...source.matchAll(/registerTool\("(\w+)"/g)].map((match) => match[1]));
  assert.deepEqual(registered, manifest.contributes.languageModelTools.map((tool) => tool.name));
});

test("default keys work on a German keyboard, where Ctrl+Alt is AltGr", () => {
  for (const { command, key, mac } of manifest.contributes.keybindings) {
    assert.ok(commands.some((item) => item.command === command));
    assert.match(key, /^ctrl\+k (?!.*alt)/);
    assert.equal(mac, key.replaceAll("ctrl", "cmd"));
  }
});

test("the icon is a PNG of 128 by 128", () => {
  const png = readFileSync(path.join(ROOT, manifest.icon));
  assert.equal(png.subarray(1, 4).toString(), "PNG");
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [128, 128]);
});
