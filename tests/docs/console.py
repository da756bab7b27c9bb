"""Console blocks of Markdown pages: parsed, executed and compared with what they show.

In a ``console`` block a line with ``$ `` is a command, and the lines up to the next one are its
output: standard output and error, as in a terminal. ``…`` stands for any text in a line, and a
line with nothing else for any number of lines. A home folder is shown as ``~``. Sizes of prompts,
which contain paths, are not compared.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.cli import main

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SIZE = re.compile(r"(bytes )[\d,]+ to [\d,]+|[\d,]+(?: -> [\d,]+)?( tokens| bytes)")
"""A position or size in a prompt, which contains the path of the project."""
_FENCE = re.compile(
    r"^(?P<fence>`{3,}|~{3,})(?P<info>[^\n]*)\n(?P<body>.*?)^(?P=fence)[ \t]*$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Block:
    """A fenced block: language, body, the line of the page and the position of the body."""

    info: str
    body: str
    line: int
    start: int


@dataclass(frozen=True)
class Step:
    """A command as it is written, and the output that the page shows."""

    command: str
    shown: tuple[str, ...]


def blocks(page: str) -> Iterator[Block]:
    """Yield the fenced blocks of ``page`` that are not inside of another."""
    for match in _FENCE.finditer(page):
        line = page.count("\n", 0, match.start()) + 1
        yield Block(match["info"].strip(), match["body"], line, match.start("body"))


def steps(body: str) -> list[Step]:
    """Return the commands of a console block; a backslash continues one on the next line."""
    lines = body.splitlines()
    found = []
    while lines:
        command = lines.pop(0)
        if not command.startswith("$ "):
            raise AssertionError(f"expected a line with '$ ', found {command!r}")
        while command.endswith("\\"):
            command += "\n" + lines.pop(0)
        shown = list(takewhile(lambda line: not line.startswith("$ "), lines))
        del lines[: len(shown)]
        found.append(Step(command[2:], tuple(shown)))
    return found


def same(shown: Sequence[str], printed: Sequence[str]) -> bool:
    """Return whether ``printed`` is what the page shows."""
    parts = []
    shown, printed = _stripped(shown), _stripped(printed)
    for line in shown:
        inside = "[^\n]*".join(re.escape(part) for part in line.rstrip().split("…"))
        parts.append("(?:[^\n]*\n)*?" if line.strip() == "…" else inside + "[ \t]*\n")
    return re.fullmatch("".join(parts), "".join(f"{line}\n" for line in printed)) is not None


def _stripped(lines: Sequence[str]) -> list[str]:
    """Return ``lines`` without sizes and without blank ones at the end."""
    text = _SIZE.sub(r"\1…\2", "\n".join(lines).rstrip())
    return text.split("\n") if any(lines) else []


class Console:
    """A shell in ``folder`` of a home folder; ``agent-memory`` runs in this process."""

    def __init__(self, home: Path, folder: Path) -> None:
        self.home, self.folder, self.code = home, folder, 0

    def run(self, command: str) -> list[str]:
        """Return the lines that ``command`` prints, with the home folder as ``~``."""
        words = shlex.split(command.replace("\\\n", " "), comments=True)
        if words[0] == "cd":
            self.folder = (self.folder / words[1]).resolve()
            return []
        if words == ["echo", "$?"]:
            return [str(self.code)]
        printed = self._in_process(words) if _is_ours(words) else self._in_shell(command)
        return printed.replace(str(self.home.resolve()), "~").splitlines()

    def _in_shell(self, command: str) -> str:
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        self.code = done.returncode
        return done.stdout.decode()

    def _in_process(self, words: list[str]) -> str:
        given = b""
        target = None
        if words[-2:-1] == ["<"]:
            given = (self.folder / words[-1]).read_bytes()
            words = words[:-2]
        elif words[-2:-1] == [">"]:
            target = self.folder / words[-1]
            words = words[:-2]
        raw = io.BytesIO()
        out = io.TextIOWrapper(raw, "utf-8", newline="", write_through=True)
        errors = out if target is None else io.StringIO()
        before = sys.stdin, Path.cwd()
        sys.stdin = io.TextIOWrapper(io.BytesIO(given), "utf-8")
        os.chdir(self.folder)
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
                try:
                    self.code = main(words[1:])
                except SystemExit as end:  # argparse
                    self.code = int(end.code or 0)
        finally:
            sys.stdin, folder = before
            os.chdir(folder)
        out.flush()
        if target is None:
            return raw.getvalue().decode()
        target.write_bytes(raw.getvalue())
        return errors.getvalue()


def _is_ours(words: list[str]) -> bool:
    """Return whether this is one command of ours, with at most one file as input or output."""
    simple = not {"|", "&&", ";", ">>"} & set(words) and "$(" not in " ".join(words)
    files = [word for word in words if word in "<>"]
    return words[0] == "agent-memory" and simple and files == [w for w in words[-2:-1] if w in "<>"]
