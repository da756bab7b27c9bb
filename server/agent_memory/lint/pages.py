"""The page of a rule: its address on the web, and its installed copy."""

from __future__ import annotations

from pathlib import Path

from agent_memory.base.version import RULE_PAGE
from agent_memory.fs.reader import read_file

_HERE = Path(__file__).parents[1]
_FOLDERS = (_HERE / "pages", _HERE.parents[1] / "docs" / "rules")  # installed, and in a checkout


def href(code: str) -> str:
    """Return the address of the page of the rule ``code``."""
    return RULE_PAGE.format(code=code)


def page(code: str) -> str | None:
    """Return the page of the rule ``code`` as Markdown, None if it is not installed."""
    for folder in _FOLDERS:
        content = read_file(folder / f"{code}.md")
        if content.ok:
            return content.text
    return None
