"""Invalid input and disk faults: the error names limit and value, and the file is unchanged."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.base.errors import UsageError
from agent_memory.cli import main
from agent_memory.entries.entry_file import (
    Entry,
    EntryPlace,
    Skipped,
    parse,
    render,
)
from agent_memory.entries.markdown_store import MarkdownEntries
from agent_memory.entries.validation import Draft
from agent_memory.fs import atomic_write
from agent_memory.fs.folder import Folder
from agent_memory.fs.lock import locked
from kit import Ran, cli, github_token, project, unprivileged, write

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.config.context import Context

ID = "01K5ZQ8V3M7Y2XB4T6N9C0DEFG"
ENTRY = render(Entry(ID, "global", "user", "s", "body", 1))
FILES = {
    ".deepagents/agent.md": "# A\n",
    ".deepagents/skills/s/SKILL.md": "---\nname: s\ndescription: d\n---\n\n# S\n",
    ".claude-mpm/memories/README.md": "# R\n",
    ".claude-mpm/memories/qa_agent.md": "# Qa\n\n## Recent Learnings\n- one\n",
    f"store/global/{ID}.md": ENTRY,
}
posix = pytest.mark.skipif(os.name == "nt", reason="POSIX modes")


@dataclass(frozen=True)
class Write:
    """A command that writes the file ``name``."""

    name: str
    args: tuple[str, ...]

    def run(self, ctx: Context) -> Ran:
        return cli(ctx, *(part.replace("STORE", str(ctx.cwd / "store")) for part in self.args))


WRITES = {
    "a fact": Write(".deepagents/agent.md", ("remember", "A new fact")),
    "a fact in a skill": Write(
        ".deepagents/skills/s/SKILL.md",
        ("remember", "A new fact", "--file", ".deepagents/skills/s/SKILL.md"),
    ),
    "an entry": Write(
        f"store/global/{ID}.md",
        ("remember", "new", "--summary", "t", "--id", ID, "--store", "STORE"),
    ),
    "a learning": Write(
        ".claude-mpm/memories/qa_agent.md",
        ("remember", "A new fact", "--runtime", "claude-mpm", "--agent", "qa"),
    ),
}
every_write = pytest.mark.parametrize("what", WRITES.values(), ids=WRITES)


@pytest.fixture
def ctx(tmp_path):
    return project(tmp_path, FILES, {})


def whole(ctx):
    """Return the bytes of every file of the project."""
    return {path: path.read_bytes() for path in ctx.cwd.rglob("*") if path.is_file()}


@every_write
def test_write_succeeds_without_a_fault(ctx, what):
    before = whole(ctx)
    assert what.run(ctx).code == 0
    assert [path for path, raw in whole(ctx).items() if raw != before.get(path)] == [
        ctx.cwd / what.name
    ]


@posix
@every_write
def test_read_only_file_is_unchanged(ctx, what):
    before = whole(ctx)
    (ctx.cwd / what.name).chmod(0o444)
    done = what.run(ctx)
    assert done.code in (1, 2)
    assert f"{ctx.cwd / what.name}" in done.err
    assert "read-only" in done.err
    assert whole(ctx) == before


@posix
@every_write
def test_read_only_folder_is_reported(ctx, what, tmp_path):
    before = whole(ctx)
    folder = (ctx.cwd / what.name).parent
    folder.chmod(0o555)
    with unprivileged(tmp_path):
        done = what.run(ctx)
    folder.chmod(0o755)
    assert done.code == 2
    assert f"no permission to write in {folder}" in done.err
    assert whole(ctx) == before


@pytest.mark.parametrize("step", ["temp-created", "temp-written", "rename"])
@every_write
def test_full_disk_changes_nothing(ctx, what, step, monkeypatch):
    before = whole(ctx)

    def full(name):
        if name == step:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(atomic_write, "_step", full)
    done = what.run(ctx)
    assert done.code == 2
    assert "not written, because the disk is full. Free some space" in done.err
    assert whole(ctx) == before


@every_write
def test_locked_file_times_out_with_its_name(ctx, what, monkeypatch):
    before = whole(ctx)
    monkeypatch.setattr(atomic_write, "WAIT_SECONDS", 0.05)
    with locked(Folder((ctx.cwd / what.name).parent, None)):
        done = what.run(ctx)
    assert done.code == 2
    assert "another program has been writing here for 0.05 seconds" in done.err
    assert whole(ctx) == before


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--summary", "x" * 201), "summary must be 1-200 chars (got 201)"),
        (("--summary", "\U0001f600" * 101), "summary must be 1-200 chars (got 202)"),
        (("--summary", " "), "summary must be 1-200 chars (got 0)"),
        (("--summary", "s", "--run", "../x", "--scope", "run"), "runId must match"),
        (("--summary", "s", "--agent", "a/b", "--scope", "agent"), "agentId must match"),
        (("--summary", "s", "--id", "../../etc"), "id must be a 26-char ULID (got '../../etc')"),
        (("--summary", "s", *("--tag", "t") * 13), "tags must be at most 12 (got 13)"),
        (("--summary", "s", "--scope", "user"), "scope must be one of global, agent, run"),
    ],
)
def test_entry_over_a_limit_is_refused_with_limit_and_value(ctx, args, message):
    before = whole(ctx)
    done = cli(ctx, "remember", "body", "--store", str(ctx.cwd / "store"), *args)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert whole(ctx) == before


@pytest.mark.parametrize(
    ("kind", "size", "most"), [("user", 4001, "4000"), ("reference", 65537, "65536")]
)
def test_too_long_body_is_refused(ctx, kind, size, most):
    args = ("--store", str(ctx.cwd / "store"), "--summary", "s", "--kind", kind)
    done = cli(ctx, "remember", "-", *args, stdin=b"x" * size)
    assert done.code == 2
    assert f"body must be 1-{most} chars (got {size})" in done.err


LATIN = "caf\udce9"  # Python's form of an argument that is not UTF-8
NOT_UTF8 = {
    "a fact": ("remember", LATIN),
    "a section": ("remember", "x", "--section", LATIN),
    "a language": ("remember", "x = 1", "--language", LATIN),
    "a summary": ("remember", "x", "--store", "s", "--summary", LATIN),
    "a tag": ("remember", "x", "--store", "s", "--tag", LATIN),
    "a learning": ("learn", "add", "qa", "pattern", LATIN),
    "words to look for": ("recall", LATIN, "--store", "s"),
    "a tag to look for": ("recall", "x", "--store", "s", "--tag", LATIN),
}


@pytest.mark.parametrize("args", NOT_UTF8.values(), ids=NOT_UTF8)
def test_argument_that_is_not_utf8_is_refused(ctx, args, monkeypatch, capsys):
    monkeypatch.chdir(ctx.cwd)
    before = whole(ctx)
    monkeypatch.setenv("HOME", str(ctx.home))
    with pytest.raises(SystemExit) as end:
        main(list(args))
    assert end.value.code == 2
    assert "character 4 is not UTF-8 (byte 0xE9)" in capsys.readouterr().err
    assert whole(ctx) == before


@pytest.mark.parametrize("command", [("remember", "-"), ("learn", "extract", "--agent", "qa")])
def test_text_that_is_not_utf8_is_refused_with_its_position(ctx, command):
    before = whole(ctx)
    options = [] if command[0] == "learn" else ["--home", str(ctx.home)]
    done = subprocess.run(
        [sys.executable, "-m", "agent_memory", *command, "--cwd", str(ctx.cwd), *options],
        input="- für\n- caf".encode() + b"\xe9\n",
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "LC_ALL": "C"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"standard input, line 2, character 6: byte 0xE9 is not UTF-8" in done.stderr
    assert whole(ctx) == before


@pytest.mark.parametrize("agent", ["../x", "a/b", ".hidden", "x" * 65, "a b", "\u00e9"])
def test_agent_id_with_path_traversal_is_refused(ctx, agent):
    before = whole(ctx)
    done = cli(ctx, "remember", "x y z", "--scope", "user", "--agent", agent)
    assert done.code == 2
    assert "is not an agent id" in done.err
    assert whole(ctx) == before


def test_learning_over_the_line_limit_is_refused(ctx):
    done = WRITES["a learning"].run(ctx)
    assert done.code == 0
    args = ("--runtime", "claude-mpm", "--agent", "qa")
    done = cli(ctx, "remember", "y" * 119, *args)
    assert (done.code, "119 characters; the limit of a line is 118" in done.err) == (1, True)


def test_secret_in_summary_or_tag_is_not_repeated(ctx):
    token = github_token(4)
    for option in ("--summary", "--tag"):
        args = ("--store", str(ctx.cwd / "store"), option, f"x {token}")
        done = cli(ctx, "remember", "body of it", *args)
        assert done.code == 1
        assert "contains a secret" in done.err
        assert token not in done.out + done.err


PARTS = [
    "---\n",
    f"id: {ID}\n",
    "scope: global\n",
    "kind: user\n",
    "summary: s\n",
    "x: 1\n",
    "\r\n",
]
FOREIGN = st.binary(max_size=60) | st.lists(
    st.sampled_from([*PARTS, "createdAt: 1\n", "---\n\nbody\n", "text\n", "\ufeff"]), max_size=9
).map(lambda parts: "".join(parts).encode())


def _is_entry(raw: bytes) -> bool:
    try:
        return parse(raw.decode(), EntryPlace("global")).id == ID
    except (Skipped, UnicodeDecodeError):
        return False


@settings(deadline=None, max_examples=150)
@given(FOREIGN)
def test_file_of_another_program_is_never_damaged(tmp_path_factory, raw):
    root: Path = tmp_path_factory.mktemp("store")
    path = write(root, {f"global/{ID}.md": raw}) / f"global/{ID}.md"
    store = MarkdownEntries(root)
    draft = Draft("global", "user", "new", "new", id=ID)
    if _is_entry(raw):
        assert parse(store.put(draft).path.read_text(), EntryPlace("global")).body == "new"
        return
    for work in (lambda: store.put(draft), lambda: store.forget(ID)):
        with pytest.raises(UsageError):
            work()
        assert path.read_bytes() == raw


def test_every_project_command_lists_the_runtimes(tmp_path):
    for command in ("check", "prompt", "skills", "sources"):
        with pytest.raises(SystemExit) as ended:
            main([command, "--cwd", str(tmp_path), "--runtime", "?"])
        assert ended.value.code == 0


def test_move_says_that_the_file_is_missing(tmp_path):
    done = cli(project(tmp_path, {}, {}), "move", "nosuch.md:1", "--scope", "user")
    assert (done.code, "nosuch.md: cannot be read (missing)" in done.err) == (2, True)


def test_paths_are_shown_without_dots(tmp_path, capsys):
    ctx = project(tmp_path, {"AGENTS.md": "a\n"}, {".deepagents/agent/AGENTS.md": "u\n"})
    home = f"{ctx.cwd}/../home"
    assert main(["sources", "--cwd", f"{ctx.cwd}/../project", "--home", home]) == 0
    out = capsys.readouterr().out
    assert ".." not in out
    assert [line for line in out.splitlines() if line != line.rstrip()] == []


def test_a_folder_that_cannot_be_searched_is_named(tmp_path):
    ctx = project(tmp_path, {}, {})
    memories = ctx.cwd / ".claude-mpm" / "memories"
    write(memories, {"qa_memories.md": "# A\n"})
    memories.chmod(0o600)
    try:
        with unprivileged(tmp_path):
            done = cli(ctx, "learn", "add", "qa", "mistake", "No sleeps in tests")
    finally:
        memories.chmod(0o700)
    assert done.code == 2
    assert str(memories) in done.err
    assert "Permission denied" in done.err
    assert "internal error" not in done.err


@pytest.mark.parametrize(
    ("text", "why"),
    [("{", "not valid JSON: Expecting property name"), ("[1]", "expected a JSON object")],
)
def test_invalid_settings_of_mcp_are_explained(capsys, text, why):
    with pytest.raises(SystemExit) as ended:
        main(["mcp", "--settings", text])
    assert ended.value.code == 2
    assert f"argument --settings: {why}" in capsys.readouterr().err
