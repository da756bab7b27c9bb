import assert from "node:assert/strict";
import * as path from "node:path";
import { test } from "node:test";
import { History, lineChanges } from "../../src/preview/history";
import { escape, pageHtml } from "../../src/preview/pageHtml";
import { canVerify, exactSetting } from "../../src/preview/exactness";
import { previewModel } from "../../src/preview/model";
import { ordinal } from "../../src/preview/ordinal";
import { pagePickers } from "../../src/preview/pagePickers";
import { shortener } from "../../src/preview/paths";
import type { Mark, ViewOptions } from "../../src/preview/segmentView";
import type { Prompt, Segment, Source } from "../../src/protocol";

const HOME = "/home/someone";
const USER = `${HOME}/.deepagents/agent/agent.md`;
const PROJECT = "/project/.deepagents/agent.md";

function segment(more: Partial<Segment>): Segment {
  return {
    kind: "template", text: "", label: "", path: null, uri: null, startLine: null, endLine: null, block: 0,
    bytes: 0, tokens: 0, ...more,
  };
}

function source(file: string, more: Partial<Source>): Source {
  return {
    path: file, uri: `file://${file}`, scope: "user", role: "memory", status: "loaded", reason: "",
    order: 1, name: "", bytes: 0, tokens: 0, ...more,
  };
}

function prompt(more: Partial<Prompt> = {}): Prompt {
  return {
    runtime: "deepagentsdk", title: "deepagentsdk", runtimeReason: "its files are there",
    agent: "agent", agentReason: "the default", version: "", exactness: "own-wording",
    origin: "not installed", text: "", masked: false, hash: "h", bytes: 900, tokens: 60,
    budget: 100, blocks: [{ role: "system" }],
    segments: [
      segment({ text: "<user>\n", tokens: 10 }),
      segment({ kind: "user", text: "a\nb\n", path: USER, uri: `file://${USER}`, startLine: 2, endLine: 4, tokens: 20 }),
      segment({ text: "</user>", tokens: 10 }),
      segment({ kind: "project", text: "c", path: PROJECT, uri: `file://${PROJECT}`, startLine: 0, endLine: 0, tokens: 20 }),
    ],
    sources: [
      source(USER, { order: 1 }),
      source(PROJECT, { order: 2, scope: "project" }),
      source("/project/agent.md", { order: null, status: "shadowed", reason: "another is preferred" }),
      source("/project/none.md", { order: null, status: "missing" }),
    ],
    problems: [],
    ...more,
  };
}

const OPTIONS: ViewOptions = {
  locale: "en",
  shorten: shortener(["/project"], HOME),
  findings: () => [],
};

test("each segment has a note with its load order and tokens", () => {
  const [template, user] = previewModel(prompt(), OPTIONS).segments;
  assert.equal(template?.path, null);
  assert.equal(template.note, "10 tokens");
  assert.equal(user?.path, path.join("~", ".deepagents", "agent", "agent.md"));
  assert.equal(user.note, "loaded 1st of 2 · 20 tokens");
});

test("listed sources are not counted in the load order", () => {
  const listed = prompt();
  const skill = source("/project/SKILL.md", { order: 1, role: "skill", status: "listed" });
  listed.sources.push(skill);
  listed.segments.push(
    segment({ kind: "skills", text: "- x", path: skill.path, uri: skill.uri, tokens: 3 }),
  );
  const { segments } = previewModel(listed, OPTIONS);
  assert.equal(segments[1]?.note, "loaded 1st of 2 · 20 tokens");
  assert.equal(segments.at(-1)?.note, "listed · 3 tokens");
});

test("the parts of the bar add up to the used fraction of the budget", () => {
  const { parts, overBudget } = previewModel(prompt(), OPTIONS);
  assert.deepEqual(parts.map((part) => [part.kind, part.tokens]), [["template", 20], ["user", 20], ["project", 20]]);
  assert.ok(Math.abs(parts.reduce((sum, part) => sum + part.share, 0) - 0.6) < 1e-9);
  assert.equal(overBudget, false);
});

test("the sticky line has the tokens only, and the template's own text is approximate", () => {
  const { total, size, parts, approximate } = previewModel(prompt(), OPTIONS);
  assert.deepEqual([total, size], ["60 of 100 tokens", "60 of 100 tokens (estimated) · 900 B"]);
  assert.deepEqual(parts.map((part) => part.text), ["template about 20", "user 20", "project 20"]);
  assert.deepEqual(parts.map((part) => part.approximate), [true, false, false]);
  assert.deepEqual(approximate, { text: "Template text is approximate (not installed).", action: "Set Its Template" });
  assert.equal(previewModel(prompt({ exactness: "exact" }), OPTIONS).approximate, null);
});

test("each runtime with a template has a setting that makes it exact", () => {
  assert.equal(exactSetting("deepagents-code"), "templateInterpreter");
  assert.equal(exactSetting("codex"), "agents.codex.path");
  assert.equal(exactSetting("drover"), "");
});

test("an installed agent that can be started can be verified", () => {
  assert.equal(canVerify({ runtime: "claude-code", version: "2.1.330" }), true);
  assert.equal(canVerify({ runtime: "claude-code", version: "" }), false);
  assert.equal(canVerify({ runtime: "deepagents", version: "0.2.0" }), false);
});

test("the folder can be chosen if there are several", () => {
  const runtimes = [
    { id: "drover", title: "drover", listed: false, reason: "" },
    { id: "codex", title: "Codex", listed: true, reason: "installed" },
  ];
  const shown = { ...prompt(), root: null, state: "", agents: ["agent"], runtimes, runtimesNote: "" };
  const choice = { runtime: "auto", agent: "auto" };
  const folders = [{ uri: "file:///a", name: "a" }, { uri: "file:///b", name: "b" }];
  const keys = (count: number) =>
    pagePickers(shown, choice, folders.slice(0, count), "file:///b").map(({ key, chosen }) => [key, chosen]);
  assert.deepEqual(keys(1), [["runtime", "auto"], ["agent", "auto"]]);
  assert.deepEqual(keys(2), [["folder", "file:///b"], ["runtime", "auto"], ["agent", "auto"]]);
  const [picker] = pagePickers(shown, choice, [], undefined);
  assert.deepEqual(
    picker?.groups.map(({ name, choices }) => [name, choices.map(({ text }) => text)]),
    [["", ["automatic: deepagentsdk"]], ["Found", ["Codex"]], ["Other", ["drover"]]],
    "the agents that were found come first",
  );
});

test("the bar is full, not longer, above the budget", () => {
  const { parts, overBudget } = previewModel(prompt({ budget: 30 }), OPTIONS);
  assert.ok(Math.abs(parts.reduce((sum, part) => sum + part.share, 0) - 1) < 1e-9);
  assert.equal(overBudget, true);
});

test("findings are marks on the segment's line and counted in its note", () => {
  const calls: [string, number, number][] = [];
  const marks: Mark[] = [{ line: 3, severity: "error", message: "a secret" }];
  const model = previewModel(prompt(), {
    ...OPTIONS,
    findings: (uri, first, last) => {
      calls.push([uri, first, last]);
      return uri.endsWith(USER) ? marks : [];
    },
  });
  assert.deepEqual(calls[0], [`file://${USER}`, 2, 4]);
  assert.deepEqual(model.segments[1]?.marks, [{ line: 1, severity: "error", message: "a secret" }]);
  assert.match(model.segments[1].note, /· 1 error$/);
});

test("the role of a message is shown above its first segment", () => {
  const shown = prompt({ blocks: [{ role: "system" }, { role: "user" }] });
  shown.segments = [
    segment({ block: 0 }), segment({ block: 0 }), segment({ block: null, text: "\n\n" }), segment({ block: 1 }),
  ];
  const { segments } = previewModel(shown, OPTIONS);
  assert.deepEqual(segments.map(({ message }) => message), ["System message", "", "", "User message"]);
});

test("unread files are listed with the reason, missing files are not", () => {
  const { unread } = previewModel(prompt(), OPTIONS);
  assert.deepEqual(unread.map((item) => [item.path, item.status, item.reason]), [
    ["agent.md", "not read", "another is preferred"],
  ]);
});

test("the explanation names runtime, file and, for user memory, the agent", () => {
  const [template, user, , project] = previewModel(prompt(), OPTIONS).segments;
  assert.match(template?.why.join(" ") ?? "", /runtime's own prompt/);
  assert.match(user?.why.join(" ") ?? "", /deepagentsdk loads .*agent\.md \(1st of 2\)\..*Runtime: deepagentsdk \(its files are there\)\..*Agent: agent/);
  assert.doesNotMatch(project?.why.join(" ") ?? "", /Agent:/);
});

test("only the last segment of a truncated file has the notice", () => {
  const truncated = prompt();
  truncated.segments.push(segment({ kind: "project", text: "d", path: PROJECT, uri: `file://${PROJECT}`, startLine: 5, endLine: 5 }));
  truncated.sources[1] = source(PROJECT, { order: 2, status: "truncated", reason: "only 16384 bytes" });
  const notices = previewModel(truncated, OPTIONS).segments.map((item) => item.truncation !== "");
  assert.deepEqual(notices, [false, false, false, false, true]);
});

test("paths are relative to the folder, with its name if there are several, else to home", () => {
  const one = shortener(["/project"], HOME);
  assert.equal(one("/project/a/b.md"), path.join("a", "b.md"));
  assert.equal(one("/projector/b.md"), "/projector/b.md");
  assert.equal(one(USER), path.join("~", ".deepagents", "agent", "agent.md"));
  assert.equal(shortener(["/x/work", "/y/other"], HOME)("/y/other/a.md"), path.join("other", "a.md"));
});

test("ordinals in English and German, numbers in other languages", () => {
  assert.deepEqual([1, 2, 3, 4, 11, 21, 112].map((n) => ordinal(n, "en-GB")), ["1st", "2nd", "3rd", "4th", "11th", "21st", "112th"]);
  assert.equal(ordinal(2, "de"), "2.");
  assert.equal(ordinal(2, "fr"), "2");
});

test("the page escapes its parts and loads nothing", () => {
  const html = pageHtml({
    script: "const a = '</script><img>';", style: "/* </style><img> */", locale: "en",
    title: "</title><script>alert(1)</script>", bundle: { '"><img src=x>': "'" },
  });
  assert.doesNotMatch(html, /<script>alert|<img src/);
  assert.equal(html.match(/<\/script>/g)?.length, 1);
  assert.equal(html.match(/<\/style>/g)?.length, 1);
  assert.doesNotMatch(html, / (src|href)="|url\(/);
  assert.match(html, /default-src &#39;none&#39;/);
  const nonce = /<script nonce="([^"]+)"/.exec(html)?.[1] ?? "";
  assert.ok(nonce.length >= 22);
  for (const kind of ["script", "style"]) {
    assert.ok(html.includes(`${kind}-src &#39;nonce-${nonce}&#39;`));
  }
  assert.equal(html.includes("unsafe-inline"), false);
  assert.equal(escape(`<&"'>`), "&lt;&amp;&quot;&#39;&gt;");
});

test("a new page has a new nonce", () => {
  const parts = { script: "s", style: "c", locale: "en", title: "t", bundle: {} };
  assert.notEqual(pageHtml(parts), pageHtml(parts));
});

test("history adds a snapshot only if it differs and keeps the newest twenty", () => {
  const history = new History();
  assert.equal(history.add({ hash: "a", text: "a", tokens: 1 }, 1), undefined);
  assert.equal(history.add({ hash: "a", text: "a", tokens: 1 }, 2), undefined);
  assert.equal(history.newestFirst.length, 1);
  assert.equal(history.add({ hash: "b", text: "b", tokens: 1 }, 3)?.hash, "a");
  for (let at = 4; at < 40; at++) {
    history.add({ hash: String(at), text: "", tokens: 1 }, at);
  }
  assert.equal(history.newestFirst.length, 20);
  assert.equal(history.newestFirst[0]?.hash, "39");
});

test("changed lines are counted without order and blank lines", () => {
  assert.deepEqual(lineChanges("a\nb\n\n", "b\na\n"), { added: 0, removed: 0 });
  assert.deepEqual(lineChanges("a\na\nb", "a\nc\nd\n\n\n"), { added: 2, removed: 2 });
});
