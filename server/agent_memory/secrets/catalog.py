"""The kinds of tokens, read when first asked for.

They are written as TOML in ``kinds/``. TOML takes 60 ms to read, so a copy as JSON is what runs;
tools/secret_kinds.py writes it and a test compares the two.
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

COPY = Path(__file__).with_name("kinds.json")


@cache
def kinds() -> tuple[SecretKind, ...]:
    """Return the kinds with a shape, in the order of the files' names and of each file."""
    return tuple(SecretKind(**row) for row in _rows("kind"))


@cache
def named() -> tuple[NamedKind, ...]:
    """Return the kinds that are known by the name beside them."""
    return tuple(NamedKind(**row) for row in _rows("named"))


@cache
def _tables() -> dict[str, list[dict[str, Any]]]:
    tables: dict[str, list[dict[str, Any]]] = json.loads(COPY.read_text("utf-8"))
    return tables


def _rows(table: str) -> Iterator[dict[str, Any]]:
    for row in _tables()[table]:
        yield {key: tuple(x) if isinstance(x, list) else x for key, x in row.items()}


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
    """Return the compiled tail of ``kind``; compiled when its anchor is first met."""
    return re.compile(kind.tail)


@cache
def head_of(kind: SecretKind) -> re.Pattern[str]:
    """Return the compiled head of ``kind``, to be searched in the text up to the anchor."""
    return re.compile(rf"(?:{kind.head})\Z")


@cache
def shape_of(kind: NamedKind) -> re.Pattern[str]:
    """Return the compiled shape of ``kind``."""
    return re.compile(kind.shape)
