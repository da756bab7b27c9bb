"""The boundary of the process: what leaves it passes :func:`shown`, so no message can forget it.

Language server answers, standard output and error, log lines, MCP results and findings pass here
(docs/security.md). A text that must leave unchanged, such as a prompt that the user reveals, is
marked as :class:`Exact` where it is made.
"""

from __future__ import annotations

import sys
import traceback
from typing import TYPE_CHECKING, Any, TextIO

from agent_memory.base.errors import UsageError
from agent_memory.base.text_cache import TextCache
from agent_memory.secrets.known_values import KNOWN, PIECE_MIN
from agent_memory.secrets.redact import mask
from agent_memory.secrets.scanner import find_line, may_hold_secret

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

_LISTS = (list, tuple)
_NUMBERS = (int, float)
_CACHED_MAX = 500
"""Code points; the results for longer texts are not cached."""


class Exact(str):
    """A text that leaves the process unchanged, because the user requested its values."""

    __slots__ = ()


class Repeated(dict[str, Any]):
    """A JSON object that is sent repeatedly and does not change, such as a diagnostic.

    :func:`shown_json` masks it once, and again after another value became known.
    """

    __slots__ = ("_masked",)

    def __init__(self, value: dict[str, Any]) -> None:
        super().__init__(value)
        # The revision of the known values, the keys `exact`, and the masked object for both.
        self._masked: tuple[int, Collection[str], dict[str, Any]] | None = None

    def masked(self, exact: Collection[str], default: Callable[[Any], Any] | None) -> Any:
        """Return what :func:`shown_json` returns for this object, cached for the last ``exact``.

        An equal ``exact`` that is another object is not found in the cache. ``default`` is not
        compared: a JSON object has no values that it converts.
        """
        if self._masked:
            cached_revision, cached_exact, cached = self._masked
            if cached_revision == KNOWN.revision and cached_exact is exact:
                return cached
        revision = KNOWN.revision  # before, because masking may add a value
        shown = shown_json(dict(self), exact, default)
        self._masked = (revision, exact, shown)
        return shown


def accept(hashes: Iterable[str]) -> None:
    """Show the values with these SHA-256 from now on: the settings accept them."""
    KNOWN.accept(hashes)


def reset() -> None:
    """Forget all known and accepted values."""
    KNOWN.clear()
    find_line.clear()  # a cached line would not make its secrets known again


def revision() -> int:
    """Return a number that grows when :func:`shown` may return another text for the same one."""
    return KNOWN.revision


def shown(text: str) -> str:
    """Return ``text`` with each secret, and each piece of a known one, replaced.

    An :class:`Exact` text and the accepted values stay.
    """
    if len(text) < PIECE_MIN or isinstance(text, Exact):  # a shorter text cannot hold a secret
        return text
    return _cached((text, KNOWN.revision)) if len(text) <= _CACHED_MAX else _shown(text)


@TextCache
def _cached(text_at_revision: tuple[str, int]) -> str:
    """Return :func:`_shown` of a text; the revision of the known values is part of the key."""
    return _shown(text_at_revision[0])


def _shown(text: str) -> str:
    """Return :func:`shown` without its cache; a text is scanned only if it may have a secret."""
    return mask(text, KNOWN.accepted) if KNOWN or may_hold_secret(text) else text


UsageError.mask = staticmethod(shown)  # its package cannot import this one


def shown_json(
    value: Any,
    exact: Collection[str] = frozenset(),
    default: Callable[[Any], Any] | None = None,
) -> Any:
    """Return ``value``, JSON, with every string and key masked except :class:`Exact` ones.

    A string, or a list of strings, whose key is in ``exact`` stays unchanged, in all objects.
    ``default`` converts what is not JSON; None leaves it as it is.
    """
    if isinstance(value, str):  # a shorter text cannot hold a secret; this saves a call
        return shown(value) if len(value) >= PIECE_MIN else value
    if isinstance(value, dict):
        if isinstance(value, Repeated):
            return value.masked(exact, default)
        return {  # a key that is short, or not a text, cannot hold a secret
            (shown(key) if isinstance(key, str) and len(key) >= PIECE_MIN else key): (
                item if key in exact and _is_text(item) else shown_json(item, exact, default)
            )
            for key, item in value.items()
        }
    if isinstance(value, _LISTS):
        return [shown_json(item, exact, default) for item in value]
    if value is None or default is None or isinstance(value, _NUMBERS):
        return value
    return shown_json(default(value), exact, default)


def _is_text(value: Any) -> bool:
    """Whether ``value`` is a string or a list of strings."""
    return isinstance(value, str) or (
        isinstance(value, list) and all(isinstance(item, str) for item in value)
    )


def print_exception(kind: type[BaseException], error: BaseException, trace: Any) -> None:
    """Print a traceback with secrets masked; a value for :data:`sys.excepthook`."""
    sys.stderr.write(shown("".join(traceback.format_exception(kind, error, trace))))


class FilteredStream:
    """A text stream that changes what is written to ``stream``: see :meth:`filtered`."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def filtered(self, text: str) -> str:
        """Return what is written for ``text``."""
        raise NotImplementedError

    def write(self, text: str) -> int:
        """Write ``text``; return its length."""
        self._stream.write(self.filtered(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write each of ``lines``."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        """Return any other attribute of the stream."""
        return getattr(self._stream, name)


class MaskedStream(FilteredStream):
    """A text stream that masks what is written to it, except :class:`Exact` texts."""

    def filtered(self, text: str) -> str:
        """Return ``text`` with secrets masked."""
        return shown(text)
