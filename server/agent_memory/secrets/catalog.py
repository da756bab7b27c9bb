"""The kinds of tokens, read from the TOML files in ``kinds/`` when first asked for."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

from agent_memory.secrets.model import Kind

FOLDER = Path(__file__).with_name("kinds")
_LISTS = ("anchors", "examples", "non_examples")


@cache
def kinds() -> tuple[Kind, ...]:
    """Return all kinds, in the order of the files' names and of each file."""
    found: list[Kind] = []
    for path in sorted(FOLDER.glob("*.toml")):
        for row in tomllib.loads(path.read_text("utf-8"))["kind"]:
            lists = {key: tuple(row[key]) for key in _LISTS if key in row}
            found.append(Kind(**{**row, **lists}))
    return tuple(found)


@cache
def by_anchor() -> dict[str, tuple[Kind, ...]]:
    """Return the kinds of each anchor."""
    table: dict[str, tuple[Kind, ...]] = {}
    for kind in kinds():
        for anchor in kind.anchors:
            table[anchor] = (*table.get(anchor, ()), kind)
    return table


@cache
def tail_of(kind: Kind) -> re.Pattern[str]:
    """Return the compiled tail of ``kind``; compiled when its anchor is first met."""
    return re.compile(kind.tail)


@cache
def head_of(kind: Kind) -> re.Pattern[str]:
    """Return the compiled head of ``kind``, to be searched in the text up to the anchor."""
    return re.compile(rf"(?:{kind.head})\Z")
