"""`prompt --diff` between the revisions of a branch: all agents, all changed folders."""

from __future__ import annotations

import json
import subprocess

import pytest

from kit import cli, github_token, project, write

pytestmark = pytest.mark.slow

CODEX = ("--runtime", "codex")


def git(place, *args):
    identity = ["-c", "user.name=Test", "-c", "user.email=test@example.invalid"]
    command = ["git", *identity, *args]
    return subprocess.run(command, cwd=place, check=True, capture_output=True, text=True).stdout


def commit(place, files):
    write(place, files)
    git(place, "add", "-A")
    git(place, "commit", "-qm", "x")


@pytest.fixture
def ctx(tmp_path):
    """A branch that is one commit ahead of main, which went on meanwhile."""
    ctx = project(tmp_path, {}, {})
    (ctx.cwd / ".git/HEAD").unlink()
    (ctx.cwd / ".git").rmdir()
    git(ctx.cwd, "init", "-q", "-b", "main")
    commit(ctx.cwd, {"AGENTS.md": "- one\n", "CLAUDE.md": "- c\n", "web/AGENTS.md": "- w\n"})
    git(ctx.cwd, "checkout", "-qb", "topic")
    commit(ctx.cwd, {"AGENTS.md": "- one\n- two\n- three\n", "web/AGENTS.md": "- changed\n"})
    git(ctx.cwd, "checkout", "-q", "main")
    commit(ctx.cwd, {"AGENTS.md": "- one\n- on main\n"})
    git(ctx.cwd, "checkout", "-q", "topic")
    return ctx


def rows(ctx, *args):
    done = cli(ctx, "prompt", "--format", "json", "--diff", *args)
    assert done.code == 0, done.err
    return json.loads(done.out)["changes"]


def test_three_dots_compare_with_the_merge_base(ctx):
    (root, web) = rows(ctx, "main...HEAD", *CODEX)
    assert root["items"] == {"added": 2, "removed": 0, "cut": 0}
    assert root["tokens"]["after"] > root["tokens"]["before"]
    assert (web["folder"], web["items"]["removed"]) == (str(ctx.cwd / "web"), 1)
    assert rows(ctx, "main..HEAD", *CODEX)[0]["items"]["removed"] == 1
    assert rows(ctx, "main...", *CODEX)[0]["diff"] == root["diff"]


@pytest.mark.parametrize(
    ("revisions", "earlier", "later"),
    [
        ("main...topic", "merge base of main and topic", "topic"),
        ("main..topic", "main", "topic"),
        ("..main", "HEAD", "main"),
    ],
)
def test_diff_names_the_compared_revisions(ctx, revisions, earlier, later):
    lines = rows(ctx, revisions, *CODEX)[0]["diff"].splitlines()
    assert lines[:2] == [f"--- prompt of codex, {earlier}", f"+++ prompt of codex, {later}"]


def test_every_listed_agent_is_compared(ctx):
    found = {
        row["runtime"]: row for row in rows(ctx, "main...HEAD") if row["folder"] == str(ctx.cwd)
    }
    assert {"codex", "claude-code"} <= found.keys()
    assert found["claude-code"]["diff"] == ""


def test_markdown_has_a_headline_and_a_diff(ctx):
    done = cli(ctx, "prompt", "--diff", "main...HEAD", "--format", "markdown", *CODEX)
    tokens = r"<details><summary>+"
    assert done.out.startswith(f"#### Prompts\n\n{tokens}")
    assert "for Codex; 2 items added</summary>\n\n```diff\n" in done.out
    assert "for Codex in web; 3 items added, 1 item removed</summary>" in done.out
    assert "\n+- two\n" in done.out
    assert (
        "for Codex; 2 items added\n--- prompt"
        in cli(ctx, "prompt", "--diff", "main...HEAD", *CODEX).out
    )


def test_content_does_not_leave_the_code_block_and_secrets_are_masked(ctx):
    secret = github_token(1)
    commit(ctx.cwd, {"AGENTS.md": f"- one\n```` x\n{secret}\n````\n"})
    out = cli(ctx, "prompt", "--diff", "main...HEAD", "--format", "markdown", *CODEX).out
    assert "\n`````diff\n" in out
    assert secret not in out


def test_items_beyond_the_limit_of_a_runtime_are_counted(ctx):
    many = "".join(f"- item number {number} of a long list\n" for number in range(2_000))
    commit(ctx.cwd, {"AGENTS.md": many})
    row = rows(ctx, "main...HEAD", *CODEX)[0]
    assert row["items"]["cut"] > 500
    assert row["items"]["cut"] + row["items"]["added"] in (2_000, 2_001)
    assert " items cut by Codex" in row["summary"]


def test_deleted_folders_and_no_changes(ctx):
    git(ctx.cwd, "rm", "-qr", "web")
    git(ctx.cwd, "commit", "-qm", "x")
    assert [row["folder"] for row in rows(ctx, "main...HEAD", *CODEX)] == [str(ctx.cwd)]
    assert cli(ctx, "prompt", "--diff", "HEAD..HEAD", *CODEX).out == "No prompt changes\n"


def test_one_revision_as_json_and_markdown(ctx):
    (row,) = rows(ctx, "HEAD~1", *CODEX)
    assert row["items"]["added"] == 2
    assert "#### Prompts" in cli(ctx, "prompt", "--diff", "HEAD", "--format", "markdown").out


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (("--diff", "nonesuch...HEAD"), "unknown git revision 'nonesuch'"),
        (("--diff=--output=x...HEAD",), "unknown git revision '--output=x'"),
        (("--diff", "main...HEAD", "--stdin-filename", "AGENTS.md"), "omit --stdin-filename"),
        (("--format", "markdown"), "requires --diff"),
    ],
)
def test_wrong_revisions_and_options(ctx, args, why):
    done = cli(ctx, "prompt", *args)
    assert (done.code, why in done.err) == (2, True), done.err


def test_revisions_without_a_common_commit(ctx):
    git(ctx.cwd, "checkout", "-q", "--orphan", "other")
    commit(ctx.cwd, {"AGENTS.md": "- other\n"})
    done = cli(ctx, "prompt", "--diff", "main...HEAD")
    assert (done.code, "main and HEAD have no common commit" in done.err) == (2, True)
