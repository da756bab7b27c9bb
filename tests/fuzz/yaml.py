"""Structured text for the readers of entries, skills, Claude MPM's configuration and settings."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from agent_memory.base.ulid import stable_ulid
from agent_memory.config.context import Context
from agent_memory.config.settings import Settings
from agent_memory.config.settings_files import load_project
from agent_memory.entries import entry_file, yaml_reader
from agent_memory.fs.reader import FileText
from agent_memory.lint.known_names import KNOWN_NAMES
from agent_memory.runtimes import claude_mpm_config
from agent_memory.skills import skill_file
from fuzz.guard import Finding, broken, smallest
from fuzz.texts import document
from kit import write

if TYPE_CHECKING:
    import random
    from pathlib import Path

_SCALARS = (
    *(
        "a",
        "yes",
        "n",
        "~",
        "0x1F",
        "1_000",
        "1:2:3.5",
        "1e3",
        ".inf",
        "2001-01-01",
        "=",
        "<<",
        "!!str 1",
    ),
    *(
        '"\\UFFFFFFFF"',
        '"\\x00"',
        '"\\U00110000"',
        "'it''s'",
        '"a\n  b"',
        "|\n   a\n   b",
        ">-\n   a",
        "*a",
    ),
    *(
        "&a x",
        "!!python/name:os.system",
        "? a",
        "- a",
        "{a: b",
        "[a, b]",
        "@a",
        "%a",
        "`a`",
        "\x7f",
        "\x85",
    ),
)
_KEYS = (
    "id",
    "name",
    "description",
    "tags",
    "summary",
    "kind",
    "memory",
    "scope",
    "a",
    "? b",
    "1",
    "<<",
)


class Yaml:
    """Checks that readers refuse what they cannot read, and that scalars survive a round trip."""

    def __init__(self, folder: Path) -> None:
        self._folder = write(folder / "project", {".git/HEAD": "x", ".keep": ""})
        self._ctx = Context(folder, self._folder, env={})
        self._config = self._folder / ".claude-mpm" / "config.yml"

    def run(self, rng: random.Random) -> Finding | None:
        """Check one generated text."""
        text = _mapping(rng) if rng.random() < 0.8 else document(rng)
        error = broken(lambda: self.check(text))
        if not error:
            return None
        text = smallest(text, lambda part: bool(broken(lambda: self.check(part))))
        return Finding("yaml", repr(text), error)

    def check(self, text: str) -> None:
        """Hand ``text`` to every reader of structured text."""
        with contextlib.suppress(yaml_reader.YamlError):
            yaml_reader.load_mapping(text)
        content = FileText(self._config, f"---\n{text}\n---\n\nbody\n")
        skill_file.parse(content)
        with contextlib.suppress(entry_file.Skipped):
            entry_file.parse(content.text, entry_file.EntryPlace("global"))
        configured = FileText(self._config, f"memory:\n  {text}")
        self._ctx.store.overlay(self._config, lambda: configured)
        claude_mpm_config.load(self._ctx, self._folder)
        load_project(self._folder, Settings(), KNOWN_NAMES, lambda path: FileText(path, text))
        if not any("\ud800" <= char <= "\udfff" for char in text):
            entry = entry_file.Entry(
                stable_ulid("fuzz"), "global", "project", "a fact", "body", 1, tags=(text,)
            )
            again = entry_file.parse(entry_file.render(entry), entry_file.EntryPlace("global"))
            assert again.tags == (text,), "the tag differs"


def _mapping(rng: random.Random) -> str:
    """Return a block mapping or a TOML table of some keys."""
    if rng.random() < 0.2:
        value = rng.choice(
            ("'a'", "1", "[1, 'a']", "{ a = 1 }", "[" * rng.randrange(300), "1" * 5000)
        )
        dots = ".".join("a" * rng.choice((1, 3, 300)))
        return f"{rng.choice(_KEYS)} = {value}\n[{dots}]\nx = {value}\n"
    lines = []
    depth = 0
    for _ in range(rng.randrange(1, 7)):
        value = rng.choice(_SCALARS) if rng.random() < 0.7 else ""
        lines.append(f"{'  ' * depth}{rng.choice(_KEYS)}: {value}")
        depth = depth + 1 if not value else rng.randrange(depth + 1)
    if rng.random() < 0.05:
        lines.append("z: " + rng.choice(("[", "{", "- ", "&a [*a, ")) * rng.choice((10, 500)))
    return "\n".join(lines) + "\n"
