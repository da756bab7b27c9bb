from __future__ import annotations

import os

import pytest

from agent_memory.base.errors import UsageError
from agent_memory.base.model import Severity
from agent_memory.config.settings import Settings
from agent_memory.fs.reader import decode
from agent_memory.lint.engine import check, file_findings, project_findings
from agent_memory.lint.open_project import open_project
from agent_memory.lint.rules import RULES
from kit import project, with_settings, write

HIDDEN = "- a\u200bb\n"
MEMORY = ".deepagents/agent.md"


@pytest.fixture
def ctx(tmp_path):
    return project(tmp_path, {MEMORY: HIDDEN, "agent.md": f"# Other\n\n{HIDDEN}"}, {})


def codes(report) -> list[str]:
    return [item.code for item in report.findings]


def test_check_covers_all_files_of_the_runtime(ctx):
    report = check(ctx)
    assert [path.name for path in report.files] == ["agent.md", "agent.md"]
    assert sorted(set(codes(report))) == ["AM107", "AM111"]


def test_check_covers_only_the_given_paths_once(ctx):
    path = ctx.cwd / MEMORY
    report = check(ctx, [path, path])
    assert report.files == (path,)
    assert codes(report) == ["AM107"]
    assert check(ctx, []).files == ()


def test_missing_path_is_skipped(ctx):
    assert check(ctx, [ctx.cwd / "gone.md"]).files == ()


def test_findings_are_in_file_order(ctx):
    write(ctx.cwd, {MEMORY: f"# A\n{HIDDEN}\n{HIDDEN}# A\n\n```\n"})
    report = check(ctx, [ctx.cwd / MEMORY])
    spans = [item.span for item in report.findings]
    assert spans == sorted(spans)
    assert len(set(codes(report))) >= 3


@pytest.mark.parametrize("key", ["AM107", "hidden-unicode"])
def test_settings_turn_rules_off_and_change_their_severity(ctx, key):
    assert "AM107" not in codes(check(with_settings(ctx, rules={key: "off"})))
    changed = check(with_settings(ctx, rules={key: "info"})).findings
    assert {item.severity for item in changed if item.code == "AM107"} == {Severity.INFO}


def test_code_overrides_name_in_settings(ctx):
    both = with_settings(ctx, rules={"AM107": "off", "hidden-unicode": "error"})
    assert "AM107" not in codes(check(both))


def test_severity_turns_on_a_rule_that_is_off_by_default(ctx):
    silent = [rule.code for rule in RULES if not rule.on]
    assert not set(silent) & set(codes(check(ctx)))
    loud = with_settings(ctx, rules=dict.fromkeys(silent, "error"))
    assert set(codes(check(ctx))) <= set(codes(check(loud)))


def test_open_buffers_override_the_disk(ctx):
    path = ctx.cwd / MEMORY
    ctx.store.overlay(path, lambda: decode(path, b"- ok\n"))
    assert codes(check(ctx, [path])) == []
    ctx.store.uncover(path)
    assert codes(check(ctx, [path])) == ["AM107"]


def test_check_equals_project_and_file_findings(ctx):
    opened = open_project(ctx)
    across = project_findings(opened)
    parts = [
        finding
        for path in opened.files
        for finding in file_findings(opened, path, across.get(path, ()))
    ]
    assert tuple(parts) == check(ctx).findings


def test_unknown_runtime_or_agent_raises(ctx):
    with pytest.raises(UsageError, match="unknown runtime 'nothing'"):
        check(ctx, runtime_id="nothing")
    with pytest.raises(UsageError, match="is not an agent id"):
        check(ctx.with_(agent="../up"))
    with pytest.raises(UsageError, match="is not an agent id"):
        check(ctx.with_(settings=Settings(agent="../up")))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_parallel_check_equals_sequential_check(tmp_path):
    files = {f"d{n}/AGENTS.md": f"# {n}\n\n{HIDDEN * (n % 3)}- {n}\n- {n}\n" for n in range(450)}
    ctx = project(tmp_path, files, {})
    paths = [ctx.cwd / name for name in files]
    seen = []
    spread = check(ctx, paths, jobs=2, tick=lambda done, every: seen.append((done, every)))
    assert spread == check(ctx, paths)
    assert len(spread.findings) > 300
    assert seen == [(number, 450) for number in range(1, 451)]
