"""Output in a terminal: colors, the width of the window, a progress bar."""

from __future__ import annotations

import os
import struct
import subprocess
import sys

import pytest

from agent_memory.cli.check.progress import Progress
from kit import project, write

pytestmark = pytest.mark.slow

pty = pytest.importorskip("pty", reason="this platform has no pseudo terminals")
fcntl = pytest.importorskip("fcntl")
termios = pytest.importorskip("termios")


def in_a_terminal(
    ctx, *args: str, columns: int = 60, command: str = "check", typed: bool = False, **env: str
) -> str:
    """Return the output of a command in a terminal of that width; ``typed`` is its input."""
    leader, follower = pty.openpty()
    size = struct.pack("4H", 24, columns, 0, 0)
    fcntl.ioctl(follower, termios.TIOCSWINSZ, size)
    keep = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "TERM")}
    path = os.pathsep.join(path for path in sys.path if path)
    with subprocess.Popen(
        [sys.executable, "-m", "agent_memory", command, "--home", ctx.home, *args],
        cwd=ctx.cwd,
        env={**keep, "PYTHONPATH": path, "TERM": "xterm", **env},
        stdin=follower if typed else subprocess.DEVNULL,
        stdout=follower,
        stderr=subprocess.STDOUT,
    ):
        os.close(follower)
        out = b""
        while True:
            try:
                chunk = os.read(leader, 65536)
            except OSError:  # Linux raises it when the last writer closes
                break
            if not chunk:
                break
            out += chunk
    os.close(leader)
    return out.decode().replace("\r\n", "\n")


@pytest.fixture
def ctx(tmp_path):
    return project(tmp_path, {".deepagents/agent.md": f"- {'word ' * 40}\u200b\n"}, {})


def test_findings_are_colored_and_clipped_to_the_window(ctx):
    out = in_a_terminal(ctx)
    assert "\x1b[31;1merror\x1b[0m AM107" in out
    frame = next(line for line in out.splitlines() if "<U+200B>" in line)
    assert frame.replace("\x1b[34;1m|\x1b[0m", "|").startswith("    1 | \u2026")
    assert len(frame.replace("\x1b[34;1m", "").replace("\x1b[0m", "")) <= 60


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_colors_can_be_disabled(ctx, env):
    out = in_a_terminal(ctx, **env)
    assert "\x1b" not in out
    assert "error AM107" in out


def test_terminal_without_a_size_has_120_columns(ctx):
    out = in_a_terminal(ctx, columns=0, NO_COLOR="1")
    assert max(map(len, out.splitlines()[1:3])) > 100


def test_progress_bar_is_shown_only_in_long_runs_and_erased(monkeypatch, capsys):
    now = [100.0]
    monkeypatch.setattr("agent_memory.cli.check.progress.time.monotonic", lambda: now[0])
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    bar = Progress()
    bar.show(1, 1000)
    bar.close()
    assert capsys.readouterr().err == ""
    now[0] += 0.6
    bar.show(500, 1000)
    bar.show(501, 1000)
    assert capsys.readouterr().err == f"\r[{'#' * 12}{'.' * 12}] 500 of 1,000 files"
    bar.close()
    assert capsys.readouterr().err == "\r\x1b[2K"


def test_progress_bar_is_not_shown_in_a_pipe(monkeypatch, capsys):
    monkeypatch.setattr("agent_memory.cli.check.progress._DELAY_SECONDS", 0)
    bar = Progress()
    bar.show(1, 2)
    bar.close()
    assert capsys.readouterr().err == ""


def test_prompt_in_a_terminal_ends_with_a_newline(ctx):
    out = in_a_terminal(ctx, "--runtime", "drover", command="prompt")
    assert out.startswith("## ") or out == "\n"
    assert out.endswith("\n")


def test_control_characters_of_names_and_memory_are_not_executed(ctx):
    name = "a\x1b]0;title\x07\rb"
    write(ctx.cwd, {f"{name}/AGENTS.md": "- one\x1b[2J\r\n- two\n", "AGENTS.md": "- \x9b2J\n"})
    for command, args in (
        ("check", (name, "--list-files")),
        ("check", ("--list-files", f"{name}/gone.md")),
        ("explain", (f"{name}/AGENTS.md",)),
        ("prompt", ("--runtime", "codex", "--reveal")),
    ):
        out = in_a_terminal(ctx, *args, command=command)
        assert not set(out) & {"\x1b", "\x07", "\r", "\x9b"}, command
        assert "<U+001B>" in out or "<U+009B>" in out, command


def test_serve_in_a_terminal_explains_itself(ctx):
    out = in_a_terminal(ctx, command="serve", typed=True)
    assert "editors start it for you" in out
