"""Values of the scanner: a detected secret, and the kinds of secrets."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Group(StrEnum):
    """How a secret is recognized; each group has its own lint rule."""

    TOKEN = "token"  # noqa: S105 -- the name of a group
    CONTEXT = "context"
    PRIVATE_KEY = "private-key"
    URL = "url"


class Confidence(StrEnum):
    """How sure the scanner is."""

    CERTAIN = "certain"  # a checksum or an inner structure holds
    LIKELY = "likely"  # the shape that a vendor documents, a private key, a password in a URL
    # The shape is right, but a checksum or another check fails, or the text was too dense to check.
    DOUBTFUL = "doubtful"
    CONTEXT = "context"  # recognized only by what is around the value, such as its name


class Secret(NamedTuple):
    """A secret at code points ``start`` to ``end`` of a text, without its value.

    ``kind`` is the id of its kind, such as ``private-key``, ``title`` the name of the kind for
    people. ``redacted`` is the kind's prefix and the length (``ghp_…(40)``). ``variable`` is the
    name of an environment variable for the value. ``sha256`` is the hash of the exact value, in
    hexadecimal; users accept a value by it.
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


class SecretKind(NamedTuple):
    """A kind of token: one of the literal ``anchors``, then ``tail``, a bounded expression.

    ``doc`` names the documentation of the vendor. ``variable`` is that of a :class:`Secret`.
    ``head`` is an expression for the part of the token before the anchor. ``entropy`` is the
    least Shannon entropy of head and tail, in bits per character. ``check`` names a function of
    :mod:`agent_memory.secrets.checksums`. ``label``: the anchor is the name of the value, as in
    a connection string, and not part of it. The tests generate values from ``examples`` and
    ``non_examples``, which are specifications such as ``ghp_{an:36}``. They must not start like a
    complete token, or packagers of extensions take them for one: write a placeholder for a digit or
    letter.
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


class NamedKind(NamedTuple):
    """A kind of value without a shape of its own: its name contains one of ``names``.

    ``names`` are in lower case; the whole value must match ``shape`` and have at least ``entropy``
    bits per character. ``doc`` names the documentation of the vendor.
    """

    id: str
    title: str
    names: tuple[str, ...]
    shape: str
    doc: str
    entropy: float = 2.8
    examples: tuple[str, ...] = ()
