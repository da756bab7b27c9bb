"""Conditions of Claude Code's rules with another effect than they seem to have.

The effects were measured in 2.1.330.
"""

from __future__ import annotations

import re

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.entries.yaml_reader import YamlError, load_mapping
from agent_memory.l10n import t
from agent_memory.runtimes.agents.claude_text import front_matter, paths_of
from agent_memory.runtimes.base import OddCondition

_KEY = lazy_compile(r"^(paths|globs|applyTo)[ \t]*:", re.MULTILINE)
"""The key of a condition: `paths` of Claude Code, `globs` of Cursor, `applyTo` of Copilot."""
_EVERYTHING = "**/*"


def odd_condition(text: str) -> OddCondition | None:
    """Return the condition of the rule with this ``text`` if it has an unexpected effect.

    None if the rule has no condition, or one with the effect that it seems to have.
    """
    front, front_line = front_matter(text)
    key = _KEY.search(front)
    if key is None:
        return None
    line = front_line + front.count("\n", 0, key.start())
    message = _message(front, key[1])
    return OddCondition(line, message) if message else None


def _message(front: str, key: str) -> str:
    """Return what is unexpected about the condition in ``front``, '' if nothing is.

    ``key`` is the first key of a condition in ``front``, of Claude Code or of another agent.
    """
    try:
        values = load_mapping(front)
    except YamlError:
        if all(match[1] != "paths" for match in _KEY.finditer(front)):
            return _ignored(key)  # such as `globs: *.ts`, which Cursor writes without quotes
        return t(
            "This front matter is not valid YAML\n"
            "Claude Code takes the text after `paths` for a pattern. Put the patterns into quotes."
        )
    if "paths" not in values:
        if not values.get(key):
            return ""  # an empty condition: nothing is lost if it is ignored
        return _ignored(key)
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


def _ignored(key: str) -> str:
    """Return the message about a condition with the ``key`` of another agent."""
    return t(
        "Claude Code ignores `{0}` and always loads this rule\nUse `paths` to make it conditional.",
        key,
    )
