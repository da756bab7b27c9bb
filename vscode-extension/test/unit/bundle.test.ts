/** The bundled server on a Python without our dependencies. */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdtempSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { after, before, test } from "node:test";
import { createMessageConnection } from "vscode-jsonrpc/node";
import { launch } from "../../src/server/launch";
import { pathToFileURL } from "node:url";

const ROOT = path.resolve(__dirname, "../..");
let folder = "";
let python = "";

before(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "bundle-"));
  execFileSync("python3", ["-m", "venv", "--without-pip", path.join(folder, "python")]);
  python = path.join(folder, "python", "bin", "python3");
  execFileSync(process.execPath, [path.join(ROOT, "scripts", "bundle.mjs")], { stdio: "pipe" });
  cpSync(path.join(ROOT, "bundled"), path.join(folder, "extension", "bundled"), { recursive: true });
  mkdirSync(path.join(folder, "project", ".deepagents"), { recursive: true });
  mkdirSync(path.join(folder, "project", ".git"));
  writeFileSync(path.join(folder, "project", ".deepagents", "agent.md"), "# Project\n\n- Use tabs\n");
});
after(() => {
  rmSync(folder, { recursive: true });
});

test("a bare Python answers initialize and composes the prompt", { timeout: 60_000 }, async () => {
  const run = launch(python, path.join(folder, "extension"), "useBundled");
  // Variables that would break a Python that uses them.
  const env = { ...process.env, PYTHONPATH: "/nowhere", PYTHONHOME: "/nowhere", HOME: folder };
  const server = spawn(run.command, run.args, { env, stdio: ["pipe", "pipe", "inherit"] });
  const connection = createMessageConnection(server.stdout, server.stdin);
  connection.listen();
  after(() => server.kill());
  const uri = pathToFileURL(path.join(folder, "project")).toString();
  const answer = await connection.sendRequest<{ serverInfo: { name: string } }>("initialize", {
    processId: process.pid,
    rootUri: uri,
    workspaceFolders: [{ uri, name: "project" }],
    capabilities: {},
  });
  assert.equal(answer.serverInfo.name, "agent-memory");
  await connection.sendNotification("initialized", {});
  const prompt = await connection.sendRequest<{ text: string }>("agentMemory/prompt", {});
  assert.match(prompt.text, /- Use tabs\n/);
  const ended = new Promise((resolve) => server.once("exit", resolve));
  await connection.sendRequest("shutdown");
  await connection.sendNotification("exit");
  assert.equal(await ended, 0);
  connection.dispose();
});

test("the bundle contains no compiled code", () => {
  const found = execFileSync("find", [path.join(folder, "extension"), "-name", "*.so", "-o", "-name", "*.pyd"]);
  assert.equal(found.toString(), "");
});

test("every bundled library has its license", () => {
  const libs = path.join(folder, "extension", "bundled", "libs");
  const libraries = readdirSync(libs).filter((name) => name.endsWith(".dist-info"));
  assert.ok(libraries.length >= 10);
  for (const name of libraries) {
    const files = readdirSync(path.join(libs, name), { recursive: true, encoding: "utf8" });
    assert.ok(files.some((file) => file.includes("LICENSE")), name);
    assert.deepEqual(files.filter((file) => /METADATA|RECORD|WHEEL/.test(file)), [], name);
  }
});

test("the libraries work without docstrings and the removed modules", () => {
  const uses = [
    "import io, cattrs, lsprotocol.converters, tomli_w, watchdog.observers, watchdog.events, yaml",
    "from markdown_it import MarkdownIt",
    "from ruamel.yaml import YAML",
    "from pygls.lsp.server import LanguageServer",
    "assert MarkdownIt('commonmark').render('*a*') == '<p><em>a</em></p>\\n'",
    "assert YAML(typ='safe').load('a: [1, 2]') == yaml.safe_load('a: [1, 2]')",
    "assert tomli_w.dumps({'a': 1}) == 'a = 1\\n'",
    "assert lsprotocol.converters.get_converter() and LanguageServer('x', '1')",
  ];
  const libs = path.join(folder, "extension", "bundled", "libs");
  const code = [`import sys; sys.path.insert(0, ${JSON.stringify(libs)})`, ...uses].join("\n");
  execFileSync(python, ["-I", "-S", "-c", code], { stdio: "pipe" });
});

test("the rule pages are in the bundle", () => {
  const run = launch(python, path.join(folder, "extension"), "useBundled", ["rules", "AM501"]);
  assert.match(execFileSync(run.command, run.args, { encoding: "utf8" }), /^# AM501 stale-path\n/);
});
