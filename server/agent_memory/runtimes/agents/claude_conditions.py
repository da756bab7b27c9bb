"""Conditions of Claude Code's rules that are not what they look like (measured in 2.1.330)."""

from __future__ import annotations

import re

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.entries.yaml_reader import YamlError, load_mapping
from agent_memory.l10n import t
from agent_memory.runtimes.agents.claude_text import front_matter, paths_of

_KEY = lazy_compile(r"^(paths|globs|applyTo)[ \t]*:", re.MULTILINE)
_EVERYTHING = "**/*"


def odd_condition(text: str) -> tuple[int, str] | None:
    """Return the line (from 0) and a sentence about the condition of a rule, or None.

    ``text`` is that of the rule. None if it has no condition, or one that is what it looks like.
    """
    front = front_matter(text)
    if not front:
        return None
    key = _KEY.search(front)
    if key is None:
        return None
    line = front.count("\n", 0, key.start()) + 1  # line 0 of the file is the opening ---
    message = _message(front, key[1])
    return (line, message) if message else None


def _message(front: str, key: str) -> str:
    """Return what is odd about the condition in ``front``, '' if it is plain.

    ``key`` is the first key in it that looks like a condition; those of other agents count.
    """
    try:
        values = load_mapping(front)
    except YamlError:
        return t(
            "This front matter is not valid YAML\n"
            "Claude Code takes the text after `paths` for a pattern. Put the patterns into quotes."
        )
    if "paths" not in values:
        if not values.get(key):
            return ""  # no condition is lost
        return t(
            "Claude Code ignores `{0}` and always loads this rule\n"
            "Use `paths` to make it conditional.",
            key,
        )
    patterns = paths_of(front)
    if patterns is None:
        return t(
            "These `paths` are no condition: Claude Code always loads this rule\n"
            "Remove them, or name files, such as `src/**/*.py`."
        )
    if _EVERYTHING in patterns:
        return t(
            "Claude Code adds this rule late, although `{0}` matches every file\n"
            "It adds the rule after it has read a file. Remove `paths` to load it at the start.",
            _EVERYTHING,
        )
    return ""
