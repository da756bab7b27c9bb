"""Checks in the background have the same findings as checks in the thread of the requests."""

from __future__ import annotations

import threading

import pytest

from agent_memory.fs.reader import decode
from agent_memory.lint.engine import file_findings, project_findings
from agent_memory.lint.open_project import open_project
from agent_memory.lsp.workspace import background_check, project_view
from agent_memory.lsp.workspace.background_check import BackgroundChecks
from agent_memory.lsp.workspace.deferred_rules import CheckCanceledError
from agent_memory.lsp.workspace.project_view import ProjectView
from kit import project

pytestmark = pytest.mark.slow

MORE = "with many words, " * 7
LINES = [f"- Item {n} says where `src/app/file{n}.py` is used {MORE}\u200b\n" for n in range(450)]
TEXT = "# Large\n\n" + "".join(LINES)


@pytest.fixture
def ctx(tmp_path):
    return project(tmp_path, {"AGENTS.md": TEXT, "src/app/main.py": ""}, {})


@pytest.fixture
def view(ctx):
    return ProjectView(ctx, "deepagents-code")


@pytest.fixture
def path(ctx):
    return ctx.cwd / "AGENTS.md"


def edit(ctx, path, text):
    content = decode(path, text.encode())
    ctx.store.overlay(path, lambda: content)


def whole(ctx, path):
    opened = open_project(ctx, "deepagents-code")
    return file_findings(opened, path, project_findings(opened).get(path, ()))


def checked(view):
    check = view.background_check()
    check.run()
    view.accept(check, succeeded=True)


def test_findings_of_a_large_file_are_missing_until_the_check(ctx, view, path):
    assert view.is_large
    assert list(view.findings(path)) == []
    assert view.is_missing(path)
    assert view.has_stale
    checked(view)
    assert not view.is_missing(path)
    assert list(view.findings(path)) == whole(ctx, path)
    assert not view.has_stale


def test_findings_of_slow_rules_are_shifted_until_the_next_check(ctx, view, path):
    view.findings(path)
    checked(view)
    edit(ctx, path, TEXT.replace("# Large\n", "# Large\n\ntext\n"))
    found = view.findings(path)
    assert view.has_stale
    assert [item.span for item in found] == [item.span for item in whole(ctx, path)]
    checked(view)
    assert list(view.findings(path)) == whole(ctx, path)
    assert not view.has_stale


def test_edit_during_a_check_stays_stale(ctx, view, path):
    view.findings(path)
    check = view.background_check()
    edit(ctx, path, TEXT.replace("# Large\n", "# Large \u200b\n"))
    view.findings(path)
    check.run()
    view.accept(check, succeeded=True)
    assert not view.is_missing(path)
    assert view.findings(path)[0].span.line == 0
    assert view.has_stale
    checked(view)
    assert list(view.findings(path)) == whole(ctx, path)


def test_check_reads_the_project_as_it_was_when_it_was_created(ctx, view, path):
    view.findings(path)
    check = view.background_check()
    before = whole(ctx, path)
    edit(ctx, path, "# Small\n")
    check.run()
    assert check.found[path] == before


def test_much_new_text_is_checked_in_the_background(ctx, view, path):
    view.findings(path)
    checked(view)
    edit(ctx, path, TEXT.replace("Item", "Thing"))
    assert "AM107" not in {item.code for item in view.findings(path)}
    assert view.is_missing(path)


def test_file_that_becomes_small_is_checked_at_once(ctx, view, path):
    view.findings(path)
    edit(ctx, path, "# Small\n\n- a \u200b\n")
    assert [item.code for item in view.findings(path)] == ["AM107"]
    assert not view.is_large


def test_file_that_disappears_is_not_waited_for(ctx, view, path):
    view.findings(path)
    path.unlink()
    view.sync(path)
    checked(view)
    assert not view.is_missing(path)
    assert not view.has_stale


def test_view_after_a_change_on_disk_shows_the_last_findings(ctx, view, path):
    view.findings(path)
    checked(view)
    (ctx.cwd / "src/app/file7.py").write_text("")
    fresh = view.renewed(ctx)
    shown = [item.code for item in fresh.findings(path)]
    assert shown.count("AM107") == len(LINES)
    assert not fresh.is_missing(path)


def test_slow_project_is_checked_in_the_background_while_it_is_slow(tmp_path, monkeypatch):
    ctx = project(tmp_path, {"AGENTS.md": "- a\n", "sub/AGENTS.md": "- b\n"}, {})
    view = ProjectView(ctx, "deepagents-code")
    paths = [ctx.cwd / "AGENTS.md", ctx.cwd / "sub/AGENTS.md"]
    monkeypatch.setattr(project_view, "SLOW_CHECK", -1.0)
    for path in paths:
        edit(ctx, path, path.read_text() + "- c\n")
        view.findings(path)
    assert view.is_large
    monkeypatch.setattr(project_view, "SLOW_CHECK", 1e9)
    checked(view)
    assert not view.is_large


def test_failed_check_is_reported_by_the_next_request(view, path, monkeypatch):
    view.findings(path)
    check = view.background_check()
    monkeypatch.setattr(background_check, "project_findings", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        check.run()
    view.accept(check, succeeded=False)
    assert not view.is_missing(path)
    assert "AM107" in {item.code for item in view.findings(path)}
    assert not view.is_missing(path)  # else a pull would wait for one failing check after another


def test_request_after_a_failed_check_runs_all_rules(ctx, view, path, monkeypatch):
    view.findings(path)
    checked(view)
    edit(ctx, path, TEXT.replace("# Large\n", "# Large\n\ntext\n"))
    view.findings(path)
    check = view.background_check()
    monkeypatch.setattr(check, "run", lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        check.run()
    stale = view.findings(path)
    view.accept(check, succeeded=False)
    assert view.findings(path) is not stale
    assert list(view.findings(path)) == whole(ctx, path)
    assert not view.has_stale


def test_thread_runs_checks_in_order_and_goes_on_after_a_failure(view, path, monkeypatch):
    view.findings(path)
    checks = BackgroundChecks()
    bad, good = view.background_check(), view.background_check()
    monkeypatch.setattr(bad, "run", lambda: 1 / 0)
    ended = threading.Event()
    results = []
    checks.start(bad, results.append)
    checks.start(good, lambda succeeded: (results.append(succeeded), ended.set()))
    assert ended.wait(60)
    assert results == [False, True]
    checks.stop()


def test_canceled_check_ends_before_its_next_rule(view, path):
    view.findings(path)
    check = view.background_check()
    check.rules.is_canceled = True
    with pytest.raises(CheckCanceledError):
        check.run()
