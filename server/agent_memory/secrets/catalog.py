"""The kinds of secrets: the JSON files in ``kinds/``, read on first use.

They are JSON because reading them takes 1 ms. As TOML they took 20 ms, a tenth of the time to the
first diagnostics.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent_memory.secrets.model import NamedKind, SecretKind

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(__file__).with_name("kinds")
_LISTS = ("anchors", "names", "examples", "non_examples")


@cache
def kinds() -> tuple[SecretKind, ...]:
    """Return the kinds with a known shape, in the order of the file names and of each file."""
    return tuple(SecretKind(**row) for row in _rows("kinds"))


@cache
def named_kinds() -> tuple[NamedKind, ...]:
    """Return the kinds that are recognized by the name beside the value."""
    return tuple(NamedKind(**row) for row in _rows("named_kinds"))


@cache
def files() -> tuple[dict[str, Any], ...]:
    """Return the contents of the files, in order of name: a heading and one list of kinds each."""
    return tuple(json.loads(path.read_bytes()) for path in sorted(FOLDER.glob("*.json")))


def _rows(table: str) -> Iterator[dict[str, Any]]:
    """Yield the fields of each kind in the list ``table`` of the files, with tuples for lists."""
    for file in files():
        for row in file.get(table, ()):
            yield {**row, **{key: tuple(row[key]) for key in _LISTS if key in row}}


@cache
def by_anchor() -> dict[str, tuple[SecretKind, ...]]:
    """Return the kinds of each anchor."""
    table: dict[str, tuple[SecretKind, ...]] = {}
    for kind in kinds():
        for anchor in kind.anchors:
            table[anchor] = (*table.get(anchor, ()), kind)
    return table


@cache
def tail_of(kind: SecretKind) -> re.Pattern[str]:
    """Return the compiled tail of ``kind``; compiled on the first use of its anchor."""
    return re.compile(kind.tail)


@cache
def head_of(kind: SecretKind) -> re.Pattern[str]:
    """Return the compiled head of ``kind``, which must match the text right before the anchor."""
    return re.compile(rf"(?:{kind.head})\Z")


@cache
def shape_of(kind: NamedKind) -> re.Pattern[str]:
    """Return the compiled shape of ``kind``."""
    return re.compile(kind.shape)
