"""Every console block of the documentation prints what the page shows."""

from __future__ import annotations

import os
import re
import shlex
import sys

import pytest

from agent_memory.cli import COMMANDS
from docs.console import Block, Console, blocks, same, steps
from docs.pages import NOT_RUN, PAGES, ROOT, make_shop

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the blocks are for a shell")
WRITE = bool(os.environ.get("AGENT_MEMORY_WRITE_GOLDEN"))
TEXTS = {page: (ROOT / page).read_text("utf-8") for page in PAGES}


def consoles(page: str) -> list[Block]:
    return [block for block in blocks(TEXTS[page]) if block.info == "console"]


WITH_CONSOLE = [page for page in PAGES if consoles(page)]


def is_run(command: str) -> bool:
    return not command.startswith(tuple(NOT_RUN))


@pytest.fixture
def console(tmp_path, monkeypatch):
    """Return a console in a new copy of the project."""
    for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "GITHUB_ACTIONS", "CI"):
        monkeypatch.delenv(name, raising=False)
    for kind in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{kind}_NAME", "Ada")
        monkeypatch.setenv(f"GIT_{kind}_EMAIL", "ada@example.invalid")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "100")
    shop = make_shop(tmp_path)
    shim = tmp_path / "bin" / "agent-memory"
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m agent_memory "$@"\n')
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}/usr/bin{os.pathsep}/bin")
    return Console(tmp_path, shop)


@pytest.mark.parametrize("page", WITH_CONSOLE)
def test_page_shows_what_its_commands_print(page, console):
    written = TEXTS[page]
    for block in consoles(page):
        lines, wrong = [], []
        for step in steps(block.body):
            printed = console.run(step.command) if is_run(step.command) else list(step.shown)
            if not same(step.shown, printed):
                wrong.append((step.command, step.shown, tuple(printed)))
            kept = step.shown if same(step.shown, printed) else printed
            lines += [f"$ {step.command}", *kept]
        if not WRITE:
            assert wrong == [], f"{page}:{block.line}"
        written = written.replace(
            block.body, "".join(f"{line}\n" for line in lines).rstrip() + "\n", 1
        )
    if WRITE:
        (ROOT / page).write_text(written, "utf-8")


def test_the_documentation_has_console_blocks():
    assert {"README.md", "docs/quickstart.md", "docs/cli.md", "docs/ci.md"} <= set(WITH_CONSOLE)


@pytest.mark.parametrize("page", PAGES)
def test_commands_are_in_console_blocks(page):
    """A block without a language, or of a shell, would not be executed."""
    unclear = ("", "sh", "bash", "shell")
    assert [block.line for block in blocks(TEXTS[page]) if block.info in unclear] == []


def test_every_reason_not_to_run_a_command_is_needed():
    shown = [
        step.command for page in PAGES for block in consoles(page) for step in steps(block.body)
    ]
    assert [start for start in NOT_RUN if not any(text.startswith(start) for text in shown)] == []


INLINE = re.compile(r"(?<!`)`(agent-memory [^`\n]+)`(?!`)")


@pytest.mark.parametrize("page", PAGES)
def test_inline_commands_exist_with_their_options(page, capsys):
    """The commands in the text and in tables have known names and options."""
    helps = dict.fromkeys(COMMANDS, "")
    unknown = []
    for line in INLINE.findall(TEXTS[page].replace("\\|", "|")):
        _, command, *words = shlex.split(line.replace("[", "").replace("]", ""))
        if command not in COMMANDS:
            unknown += [] if command in ("COMMAND", "--help", "--version") else [line]
            continue
        names = [word.partition("=")[0] for word in words if word.startswith("--")]
        sub = [word for word in words[:1] if command in ("entries", "learn") and word.islower()]
        helps[command] = helps[command] or help_of(command, *sub, capsys=capsys)
        unknown += [line for name in names if name not in helps[command]]
    assert unknown == []


def help_of(*words: str, capsys) -> str:
    from agent_memory.cli import main  # noqa: PLC0415 -- once per page

    with pytest.raises(SystemExit):
        main([*words, "--help"])
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("shown", "printed"),
    [
        (("a", "…"), ["a", "b", "c"]),
        (("…", "c"), ["a", "c"]),
        (("a … c",), ["a b c"]),
        ((), []),
    ],
)
def test_ellipsis_stands_for_any_text(shown, printed):
    assert same(shown, printed)


@pytest.mark.parametrize(
    ("shown", "printed"),
    [(("a",), ["b"]), (("a",), ["a", "b"]), ((), ["a"]), (("a … c",), ["a b"]), (("a.",), ["ab"])],
)
def test_other_output_differs(shown, printed):
    assert not same(shown, printed)


def test_a_command_may_continue_and_have_no_output():
    assert [step.command for step in steps("$ a \\\n  b\nout\n$ c\n")] == ["a \\\n  b", "c"]
