"""An error of one rule or reader is one finding or problem; everything else is still checked."""

from __future__ import annotations

import json
from contextlib import contextmanager

import pytest

from agent_memory.base import failures
from agent_memory.config import settings_files
from agent_memory.entries import markdown_store
from agent_memory.lint import memory_file
from agent_memory.lint.engine import check, file_findings, project_findings
from agent_memory.lint.open_project import open_project
from agent_memory.lint.rules import BY_KEY
from agent_memory.lsp.workspace.deferred_rules import CheckCanceledError
from agent_memory.runtimes import claude_mpm_config
from agent_memory.runtimes.agents.codex import Codex
from agent_memory.runtimes.deepagents_code import DeepagentsCode
from agent_memory.skills import discovery
from kit import cli, project, with_settings

SECRET = "the text of a memory file"
MEMORY = "# A\n\n- see [x](docs/gone.md)\n- tabs\u200b, not spaces\n"
SKILL = "---\nname: {0}\ndescription: d\n---\n"
ENTRY = (
    "---\nid: {0}\nscope: global\nkind: project\nsummary: {0}\ncreatedAt: 1\n---\n\nWe use tabs.\n"
)
IDS = ["01" + char * 24 for char in "AB"]


@pytest.fixture(autouse=True)
def nothing_logged_before(monkeypatch):
    """Each failure is logged once per process, also one of another test."""
    monkeypatch.setattr(failures, "_logged", set())


def boom(*_args, **_options):
    raise LookupError(SECRET)


@contextmanager
def failing(code, name="check"):
    """Let a rule raise inside the block."""
    rule = BY_KEY[code]
    before = getattr(rule, name)
    object.__setattr__(rule, name, boom)
    try:
        yield
    finally:
        object.__setattr__(rule, name, before)


@pytest.fixture
def ctx(tmp_path):
    home = {".deepagents/agent/AGENTS.md": "# B\n\n- see [y](docs/gone.md)\n"}
    return project(tmp_path, {"AGENTS.md": MEMORY}, home)


def found(ctx, *args):
    """Return code, file name and message of each finding, and standard error."""
    done = cli(ctx, "check", "--format", "json", "--runtime", "deepagents-code", *args)
    assert done.code == 1
    assert SECRET not in done.out + done.err
    findings = json.loads(done.out)["findings"]
    return [(item["code"], item["path"], item["message"]) for item in findings], done.err


@pytest.mark.parametrize(
    ("code", "name", "files"),
    [("AM107", "check", 2), ("AM401", "check", 2), ("AM302", "check", 1), ("AM902", "check", 0)],
)
def test_a_rule_that_fails_is_one_finding_per_file(ctx, code, name, files, caplog):
    if files == 0:
        (ctx.cwd / "AGENTS.md").write_text("<!-- agent-memory: disable-file AM404 -->\n" + MEMORY)
    usual, _ = found(ctx)
    with failing(code, name):
        others, _ = found(ctx)
    failed = [item for item in others if item[0] == "AM103"]
    assert len(failed) == (files or 1)
    assert all(f"ended {code} on " in message or not files for *_, message in failed)
    lost = {item for item in usual if item not in others}
    assert {item[0] for item in lost} <= {code} or not files
    assert {item[0] for item in others} >= {"AM502"} or not files
    assert f"LookupError in {code}" in caplog.text or not files
    assert SECRET not in caplog.text


def test_a_file_that_cannot_be_scanned_leaves_the_other_files_checked(ctx, monkeypatch):
    scan = memory_file.parser.scan

    def one_fails(lines, **options):
        return boom() if "# B\n" in lines else scan(lines, **options)

    monkeypatch.setattr(memory_file.parser, "scan", one_fails)
    findings, _ = found(ctx)
    by_file = {
        path: [code for code, where, _ in findings if where == path] for _, path, _ in findings
    }
    own, other = str(ctx.cwd / "AGENTS.md"), str(ctx.home / ".deepagents/agent/AGENTS.md")
    assert sorted(by_file[own]) == ["AM107", "AM502"]
    assert by_file[other] == ["AM103"]


def test_a_runtime_that_fails_leaves_the_given_paths_checked(ctx, monkeypatch):
    monkeypatch.setattr(DeepagentsCode, "sources", boom)
    findings, _ = found(ctx, "AGENTS.md")
    assert {code for code, *_ in findings} >= {"AM103", "AM107", "AM502"}


@pytest.mark.parametrize("code", ["AM107", "AM401"])
def test_a_rule_that_is_off_does_not_fail(ctx, code):
    ctx = with_settings(ctx, rules={code: "off"})
    with failing(code):
        report = check(ctx, runtime_id="deepagents-code")
    assert "AM103" not in {finding.code for finding in report.findings}


def test_another_listed_runtime_that_fails_is_one_finding(ctx, monkeypatch):
    ctx = with_settings(ctx, runtimes=("deepagents-code", "codex"))
    monkeypatch.setattr(Codex, "sources", boom)
    findings = check(ctx).findings
    facts = [finding.fact for finding in findings if finding.code == "AM103"]
    assert len(facts) == 1
    assert "ended codex on " in facts[0]
    assert "AM502" in {finding.code for finding in findings}


@pytest.mark.parametrize("command", ["check", "prompt", "sources", "skills"])
def test_a_skill_that_cannot_be_read_leaves_the_others_listed(ctx, command, monkeypatch):
    for name in ("one", "two"):
        folder = ctx.cwd / ".deepagents/skills" / name
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(SKILL.format(name))
    parse = discovery.parse

    def one_fails(content, **options):
        return boom() if "name: one" in content.text else parse(content, **options)

    monkeypatch.setattr(discovery, "parse", one_fails)
    done = cli(ctx, command, "--runtime", "deepagents-code")
    assert "Traceback" not in done.err
    assert SECRET not in done.out + done.err
    assert done.code in ((1,) if command == "check" else (0,))
    assert "two" in done.out or command == "check"
    if command in ("sources", "skills"):
        assert "internal error ended reading it (LookupError)" in done.out


@pytest.mark.parametrize("command", ["check", "prompt", "sources"])
def test_an_entry_that_cannot_be_read_leaves_the_others_listed(tmp_path, command, monkeypatch):
    files = {f".memory/global/{name}.md": ENTRY.format(name) for name in IDS}
    ctx = project(tmp_path, {"AGENTS.md": MEMORY, **files}, {})
    parse = markdown_store.parse

    def one_fails(text, *args):
        return boom() if IDS[0] in text else parse(text, *args)

    monkeypatch.setattr(markdown_store, "parse", one_fails)
    done = cli(ctx, command, "--runtime", "drover")
    assert "Traceback" not in done.err
    assert done.code in (0, 1)
    assert IDS[1] in done.out


def test_a_settings_file_that_cannot_be_read_is_a_problem(ctx, monkeypatch):
    (ctx.cwd / ".deepagents").mkdir()
    (ctx.cwd / ".deepagents/agent-memory.toml").write_text("budget.tokens = 7\n")
    monkeypatch.setattr(settings_files, "parse_toml", boom)
    done = cli(ctx, "check")
    assert done.code == 2
    assert "agent-memory.toml: file: cannot be read: an internal error" in done.err
    assert "AM502" in done.out


def test_a_configuration_of_claude_mpm_that_cannot_be_read_is_a_problem(tmp_path, monkeypatch):
    files = {".claude-mpm/memories/qa_memories.md": "# QA\n", ".claude-mpm/config.yml": "a: 1\n"}
    ctx = project(tmp_path, files, {})
    monkeypatch.setattr(claude_mpm_config, "load_mapping", boom)
    done = cli(ctx, "prompt", "--runtime", "claude-mpm")
    assert done.code == 0
    assert "an internal error ended reading it (LookupError)" in done.err


def test_an_error_of_a_command_is_reported_without_values(ctx, monkeypatch):
    monkeypatch.setattr(DeepagentsCode, "compose", boom)
    done = cli(ctx, "prompt", "--runtime", "deepagents-code")
    assert done.code == 2
    assert "agent-memory prompt: internal error (LookupError)" in done.err
    assert SECRET not in done.err
    assert "Traceback" not in done.err


def test_a_canceled_check_is_not_a_failure(ctx):
    def cancel(*_args):
        raise CheckCanceledError

    found = open_project(ctx, "deepagents-code")
    with pytest.raises(CheckCanceledError):
        file_findings(found, ctx.cwd / "AGENTS.md", run=cancel)
    with pytest.raises(CheckCanceledError):
        project_findings(found, cancel)
