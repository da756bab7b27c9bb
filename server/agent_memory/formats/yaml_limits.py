"""Limits for YAML: base classes for the scanners and composers of PyYAML and ruamel.yaml."""

from __future__ import annotations

from typing import Any

from agent_memory.formats.limits import MAX_DEPTH, FormatError, no_character, too_deep, too_large

MAX_CHARS = 128 * 1024
"""Characters of a text; PyYAML takes 0.2 s for them."""
MAX_VALUES = 4_000
"""Values; those in the node of an alias count at each use. Long text counts as several values."""
_CHARS_OF_VALUE = 64
"""So many characters of a text count as one more value."""


def ensure_size(text: str) -> None:
    """Check that ``text`` has at most ``MAX_CHARS`` characters.

    Raises:
        FormatError: it has more.

    """
    if len(text) > MAX_CHARS:
        raise too_large(0)


class BoundedScanner:
    """Base of a scanner, which stops at brackets nested too deeply.

    The time to scan nested brackets grows with the square of their number.
    """

    def fetch_flow_collection_start(self, *args: Any, **kwargs: Any) -> None:
        """Scan an opening bracket, ``[`` or ``{``.

        Raises:
            FormatError: it is nested too deeply.

        """
        if self.flow_level >= MAX_DEPTH:  # type: ignore[attr-defined]
            # ruamel's scanner has a reader, PyYAML's is the reader itself.
            reader: Any = getattr(self, "reader", self)
            raise too_deep(reader.line)
        super().fetch_flow_collection_start(*args, **kwargs)  # type: ignore[misc]


class BoundedComposer:
    """Counts the nodes that the composer after it in the order of base classes creates."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._level = 0  # nesting of the current node
        self._values = 0  # so far
        self._sizes: dict[str, int] = {}  # values in the node of each anchor, by the anchor

    def compose_node(self, parent: Any, index: Any) -> Any:
        """Return the next node.

        Raises:
            FormatError: the nodes exceed a limit, or an escape names no character.

        """
        try:
            return self._compose(parent, index)
        except FormatError:
            raise
        except (OverflowError, ValueError) as error:  # of chr(): the scanners do not catch it
            raise no_character() from error

    def _compose(self, parent: Any, index: Any) -> Any:
        """Return the next node and count its values.

        The composer calls :meth:`compose_node` for each child, so this method is recursive.

        Raises:
            FormatError: there are too many levels or values.

        """
        # ruamel's composer has a parser, PyYAML's is the parser itself.
        parser: Any = getattr(self, "parser", self)
        event = parser.peek_event()
        anchor, values_before = event.anchor, self._values  # of the node, or the one an alias names
        is_alias = type(event).__name__ == "AliasEvent"
        # An alias counts as the node that it names; inside of that node its size is not known yet.
        size = self._sizes.get(anchor, 1) if is_alias else 1
        text = getattr(event, "value", None) or ""  # only a scalar has a value
        self._values += size + len(text) // _CHARS_OF_VALUE
        self._level += 1
        if self._level > MAX_DEPTH:
            raise too_deep(event.start_mark.line)
        if self._values > MAX_VALUES:
            raise too_large(event.start_mark.line)
        node = super().compose_node(parent, index)  # type: ignore[misc]
        self._level -= 1
        if anchor is not None and not is_alias:
            self._sizes[anchor] = self._values - values_before  # the node and those inside
        return node
