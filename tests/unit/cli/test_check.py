from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys

import pytest

from agent_memory.base.text_cache import TextCache
from agent_memory.cli.check.file_selection import walk
from kit import cli, project, unprivileged, write
from unit.secrets.generate import Maker

HIDDEN = "- tabs\u200b, not spaces\n"
MEMORY = ".deepagents/agent.md"


def codes(out: str) -> list[str]:
    return [item["code"] for item in json.loads(out)["findings"]]


@pytest.fixture
def ctx(tmp_path):
    return project(tmp_path, {MEMORY: HIDDEN}, {".deepagents/agent/agent.md": "- mine\n"})


@pytest.mark.parametrize(
    ("limit", "code"), [("error", 1), ("warning", 1), ("info", 1), ("never", 0)]
)
def test_exit_codes_follow_fail_on(ctx, limit, code):
    assert cli(ctx, "check", "--fail-on", limit).code == code


def test_warning_passes_with_fail_on_error(ctx):
    write(ctx.cwd, {MEMORY: "- ok\n", "agent.md": "- shadowed\n"})
    assert cli(ctx, "check", "--fail-on", "error").code == 0
    assert cli(ctx, "check").code == 1


def test_summary_without_findings(ctx):
    write(ctx.cwd, {MEMORY: "- ok\n"})
    done = cli(ctx, "check")
    assert (done.code, done.out, done.err) == (0, "2 files checked, no findings\n", "")


def test_without_memory_files_the_summary_names_the_sources_command(tmp_path):
    done = cli(project(tmp_path, {}, {}), "check")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("no memory files found; `agent-memory sources` lists")


def test_without_a_path_user_and_ignored_files_are_checked(ctx):
    write(ctx.cwd, {"agent.md": HIDDEN})
    write(ctx.home, {".deepagents/agent/agent.md": HIDDEN})
    found = json.loads(cli(ctx, "check", "--format", "json").out)["findings"]
    paths = {item["path"] for item in found if item["code"] == "AM107"}
    assert paths == {
        str(ctx.cwd / MEMORY),
        str(ctx.cwd / "agent.md"),
        str(ctx.home / ".deepagents/agent/agent.md"),
    }


def test_missing_path_is_refused(ctx):
    done = cli(ctx, "check", "gone/agent.md", MEMORY)
    assert done.code == 2
    assert "gone/agent.md does not exist" in done.err
    assert done.out == ""


def test_missing_working_folder_is_refused(ctx):
    done = cli(ctx.with_(cwd=ctx.cwd / "gone"), "check")
    assert done.code == 2
    assert "not an existing folder" in done.err


def test_folder_stands_for_the_memory_files_below_it(ctx):
    write(
        ctx.cwd,
        {
            "pkg/AGENTS.md": HIDDEN,
            "pkg/.deepagents/skills/a/SKILL.md": "---\nname: a\ndescription: d\n---\n",
            "pkg/README.md": HIDDEN,
            "node_modules/x/AGENTS.md": HIDDEN,
            ".venv/lib/AGENTS.md": HIDDEN,
            ".git/AGENTS.md": HIDDEN,
            ".memory/.trash/global/01ARZ3NDEKTSV4RRFFQ69G5FAV.md": HIDDEN,
        },
    )
    (ctx.cwd / "loop").symlink_to(ctx.cwd)
    (ctx.cwd / "linked").mkdir()
    (ctx.cwd / "linked" / "AGENTS.md").symlink_to(ctx.cwd / "pkg" / "README.md")
    assert [path.relative_to(ctx.cwd).as_posix() for path in walk(ctx.cwd)] == [
        MEMORY,
        "linked/AGENTS.md",
        "pkg/.deepagents/skills/a/SKILL.md",
        "pkg/AGENTS.md",
    ]
    assert json.loads(cli(ctx, "check", ".", "--format", "json").out)["files"] == 4


@pytest.mark.parametrize("folder", ["backup", "Archive", "src/backup"])
def test_copies_at_the_root_of_a_repository_are_skipped(tmp_path, folder):
    ctx = project(tmp_path, {"AGENTS.md": "# P\n", f"{folder}/CLAUDE.md": "# P\n"}, {})
    found = cli(ctx, "check", ".", "--list-files").out
    assert ("CLAUDE.md" in found) == (folder == "src/backup")


@pytest.mark.parametrize(
    ("folder", "is_checked"),
    [
        (".back/250117", False),
        ("docs/_archive/2025-01-17-parser", False),
        ("tools/Backups/agents_20250117", False),
        ("front/back/v2", True),
        ("docs/archive/prices", True),
        ("docs/250117", True),
    ],
)
def test_dated_copies_are_skipped_in_any_folder(tmp_path, folder, is_checked):
    path = f"{folder}/.claude/skills/a/SKILL.md"
    ctx = project(tmp_path, {"AGENTS.md": "# P\n", path: "# P\n"}, {})
    assert ("SKILL.md" in cli(ctx, "check", ".", "--list-files").out) == is_checked
    above = folder.rpartition("/")[0]
    assert "SKILL.md" in cli(ctx, "check", above, "--list-files").out  # it is named


def test_unreadable_files_are_findings_and_the_check_continues(ctx):
    write(ctx.cwd, {"a/AGENTS.md": b"\xff\xfe", "z/AGENTS.md": HIDDEN, "d/AGENTS.md/x": ""})
    (ctx.cwd / "l").mkdir()
    (ctx.cwd / "l" / "AGENTS.md").symlink_to("AGENTS.md")
    done = cli(ctx, "check", "a", "d", "l", "z", "--format", "json")
    found = {item["path"].split("/")[-2] for item in json.loads(done.out)["findings"]}
    assert found >= {"a", "d", "l", "z"}
    assert done.code == 1


def test_path_through_a_symlinked_folder_is_the_runtimes_file(ctx, tmp_path):
    (tmp_path / "link").symlink_to(ctx.cwd)
    through = ctx.with_(cwd=tmp_path / "link")
    done = cli(through, "check", MEMORY, "--format", "json")
    (path,) = {item["path"] for item in json.loads(done.out)["findings"]}
    assert path == str(ctx.cwd / MEMORY)


def test_file_given_twice_is_checked_once(ctx):
    done = cli(ctx, "check", MEMORY, f"./x/../{MEMORY}", ".", "--format", "json")
    assert json.loads(done.out)["files"] == 1


def test_standard_input_is_checked_as_the_given_file(ctx):
    done = cli(
        ctx,
        "check",
        "--stdin-filename",
        MEMORY,
        "--format",
        "json",
        stdin=b"- ok\n- \xe2\x80\xae\n",
    )
    (found,) = [f for f in json.loads(done.out)["findings"] if f["code"] == "AM107"]
    assert found["range"]["start"]["line"] == 1
    assert (ctx.cwd / MEMORY).read_text("utf-8") == HIDDEN
    undecodable = cli(ctx, "check", "--stdin-filename", MEMORY, stdin=b"\xff")
    assert undecodable.code == 1


@pytest.mark.parametrize("option", ["--fix", "--diff", "--write-baseline", MEMORY])
def test_stdin_filename_excludes_paths_and_fixes(ctx, option):
    done = cli(ctx, "check", "--stdin-filename", MEMORY, option)
    assert done.code == 2
    assert "--stdin-filename" in done.err


def test_unsafe_requires_fix_or_diff(ctx):
    assert cli(ctx, "check", "--unsafe").code == 2


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        (
            "[rules]\nhidden-unicod = 'off'\n",
            "rules.hidden-unicod: unknown rule 'hidden-unicod'. Did you mean 'hidden-unicode'?",
        ),
        ("runtme = 'auto'\n", "runtme: unknown setting. Did you mean 'runtime'?"),
        ("budget.tokens = 'x'\n", "budget.tokens: expected a whole number, got text"),
        ("= broken", "file: cannot be read"),
    ],
)
def test_invalid_settings_are_reported_with_file_and_key(ctx, toml, message):
    write(ctx.cwd, {".deepagents/agent-memory.toml": toml})
    done = cli(ctx, "check", "--format", "json")
    assert done.code == 2
    assert str(ctx.cwd / ".deepagents" / "agent-memory.toml") in done.err
    assert message in done.err
    assert codes(done.out) == ["AM107"], "findings are printed nevertheless"
    assert cli(ctx, "check", "--fix").code == 2
    assert (ctx.cwd / MEMORY).read_text("utf-8") == HIDDEN


def test_settings_change_severity_and_disable_rules(ctx):
    write(ctx.cwd, {".deepagents/agent-memory.toml": "[rules]\nhidden-unicode = 'info'\n"})
    assert cli(ctx, "check").code == 0
    write(ctx.cwd, {".deepagents/agent-memory.toml": "[rules]\nAM107 = 'off'\n"})
    assert codes(cli(ctx, "check", "--format", "json").out) == []


@pytest.mark.parametrize("key", ["AM107", "am107", "hidden-unicode"])
def test_explain_prints_the_page(ctx, key):
    done = cli(ctx, "check", "--explain", key)
    assert done.code == 0
    assert done.out.startswith("# ")
    assert "AM107" in done.out.splitlines()[0]


def test_explain_suggests_the_nearest_rule(ctx):
    done = cli(ctx, "check", "--explain", "hiden-unicode")
    assert done.code == 2
    assert "unknown rule 'hiden-unicode'. Did you mean 'hidden-unicode'?" in done.err


def test_closed_pipe_is_not_an_error(ctx):
    write(ctx.cwd, {MEMORY: HIDDEN * 3000})
    command = [sys.executable, "-m", "agent_memory", "check", "--cwd", ctx.cwd, "--home", ctx.home]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as process:
        assert process.stdout
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr
        assert process.stderr.read() == b""


def test_all_files_of_a_folder_are_checked(tmp_path):
    ctx = project(tmp_path, {"docs/one.md": HIDDEN, "docs/two.md": HIDDEN}, {})
    done = cli(ctx, "check", "docs/one.md", "docs/two.md", "--format", "json")
    found = {item["path"].rpartition("/")[2] for item in json.loads(done.out)["findings"]}
    assert found == {"one.md", "two.md"}


def test_caches_shared_by_files_never_change_findings(tmp_path, monkeypatch):
    parts = [f"## Part {number}\n\n{HIDDEN}{number % 3}\n\n" for number in range(20)]
    ctx = project(tmp_path, {"AGENTS.md": "".join(parts)}, {})
    before = cli(ctx, "check").out
    monkeypatch.setattr(TextCache.__init__, "__defaults__", (3, None, None))
    assert cli(ctx, "check").out == before
    assert before.count("AM107") == 20


def test_memory_files_that_the_runtime_does_not_read_are_counted(tmp_path):
    ctx = project(tmp_path, {"a/AGENTS.md": "- a\n", "b/c/AGENTS.md": "- b\n"}, {})
    done = cli(ctx, "check", "--runtime", "deepagents-code")
    assert done.code == 0
    assert "deepagents-code reads none of the 2 memory files below this folder" in done.err
    assert cli(ctx, "check", "--fail-on-empty").code == 1
    assert cli(ctx, "check", ".", "--fail-on-empty").code == 0


def test_folders_can_be_nested_without_limit(ctx, monkeypatch):
    write(
        ctx.cwd,
        {MEMORY: "# A\n\n- Run `npm run lint`.\n", "package.json": '{"scripts": {"test": "x"}}'},
    )
    monkeypatch.chdir(ctx.cwd)
    try:
        for _ in range(1200):  # the path is too long for one call
            os.mkdir("a")  # noqa: PTH102
            os.chdir("a")
        monkeypatch.chdir(ctx.cwd)
        done = cli(ctx, "check", ".")
    finally:
        subprocess.run(["rm", "-r", ctx.cwd / "a"], check=True)  # too deep for shutil
    assert "AM503" in done.out
    assert "AM103" not in done.out
    assert done.err == ""


@pytest.mark.parametrize("options", [(), ("--diff",)])
@pytest.mark.parametrize(("cwd", "paths"), [(".", ("a", "b")), ("a", (".", "../b"))])
def test_an_allowed_secret_is_shown_in_lines_of_its_project_only(tmp_path, cwd, paths, options):
    token = Maker("two projects").make("ghp_{crc:30}")
    allowed = hashlib.sha256(token.encode()).hexdigest()
    text = f"# A\n\n- key {token} hid\u200bden\n"
    files = {
        "a/pyproject.toml": f'[tool.agent-memory]\nsecrets.allowed = ["{allowed}"]\n',
        **{f"{name}/AGENTS.md": text for name in "ab"},
        **{f"{name}/.git/HEAD": "ref: refs/heads/main\n" for name in "ab"},
    }
    ctx = project(tmp_path, files, {})
    lines = cli(ctx.with_(cwd=ctx.cwd / cwd), "check", *paths, *options).out.splitlines()
    quoted = [line for line in lines if "- key" in line]
    of_b = next(number for number, line in enumerate(lines) if "b/AGENTS.md" in line)
    assert {token in line for line in lines[of_b:]} == {False}
    assert [token in line for line in quoted].count(True) == (2 if options else 1)


def test_path_in_a_folder_that_may_not_be_searched_is_not_called_missing(ctx):
    write(ctx.cwd, {"locked/in/AGENTS.md": "- a\n"})
    (ctx.cwd / "locked").chmod(0)
    try:
        with unprivileged(ctx.cwd.parent):
            done = cli(ctx, "check", "locked/in")
    finally:
        (ctx.cwd / "locked").chmod(0o755)
    assert (done.code, done.err) == (
        2,
        "agent-memory check: locked/in cannot be read: permission denied\n",
    )
