"""What the scanner reports and what it knows: a secret found, a kind of secret."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Group(StrEnum):
    """How a secret is recognised; one rule reports each."""

    TOKEN = "token"  # noqa: S105 -- the name of a group
    CONTEXT = "context"
    PRIVATE_KEY = "private-key"
    URL = "url"


class Confidence(StrEnum):
    """How sure the scanner is."""

    CERTAIN = "certain"  # a checksum or an inner structure holds
    LIKELY = "likely"  # the shape is that of the vendor's documentation
    DOUBTFUL = "doubtful"  # the shape holds, the vendor's checksum does not
    CONTEXT = "context"  # only the name beside the value says so


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret at code points ``start`` to ``end`` of a text. It does not hold the value.

    ``redacted`` is the kind's prefix and the length (``ghp_…(40)``). ``variable`` is the name
    of an environment variable that could hold it. ``sha256`` is that of the exact value, in
    hexadecimal: it is what users accept by.
    """

    start: int
    end: int
    kind: str
    title: str
    redacted: str
    confidence: Confidence
    group: Group
    variable: str
    sha256: str


@dataclass(frozen=True, slots=True)
class SecretKind:
    """A kind of token: a literal ``anchor``, then ``tail`` (a bounded expression) behind it.

    ``head`` is an expression for what stands before the anchor and belongs to the token.
    ``entropy`` is the least Shannon entropy, in bits per character, of head and tail.
    ``check`` names a function of :mod:`agent_memory.secrets.checksums`. ``label`` True: the anchor
    only names the value, as in a connection string, and is no part of it.
    ``examples`` and ``non_examples`` are specifications that the tests turn into values.
    """

    id: str
    title: str
    anchors: tuple[str, ...]
    tail: str
    variable: str
    doc: str
    head: str = ""
    entropy: float = 3.0
    check: str = ""
    label: bool = False
    examples: tuple[str, ...] = ()
    non_examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NamedKind:
    """A kind of value that has no shape of its own: one of ``names`` stands in the value's name.

    ``names`` are in lower case; all of the value must match ``shape``.
    """

    id: str
    title: str
    names: tuple[str, ...]
    shape: str
    doc: str
    entropy: float = 2.8
    examples: tuple[str, ...] = ()
