"""Validated parameters of custom requests and commands."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any, TypeVar

from agent_memory.lsp.protocol import convert
from agent_memory.lsp.transport.errors import BadParamsError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

D = TypeVar("D")
_TYPE_NAMES = {
    str: "text",
    bool: "true or false",
    int: "a number",
    list: "a list",
    dict: "an object",
}


class Params:
    """The object in ``params`` of a request.

    A getter returns None for a missing key, unless it says otherwise; null counts as missing.

    Raises:
        BadParamsError: the value is not an object or has a key that is not ``known``; in each
            getter: the value has another type, or is not one of those that the getter returns.

    """

    def __init__(self, value: Any, known: Sequence[str]) -> None:
        if value is None:
            value = {}
        if not isinstance(value, dict):
            raise BadParamsError(
                f"expected an object with {', '.join(known)}, got {_type_name(value)}"
            )
        for key in value:
            if key not in known:
                similar = difflib.get_close_matches(str(key), known, 1)
                hint = f"Did you mean '{similar[0]}'?" if similar else f"Known: {', '.join(known)}"
                raise BadParamsError(f"unknown parameter '{key}'. {hint}")
        self._values: Mapping[str, Any] = value

    def text(self, key: str) -> str | None:
        """Return a string, None if it is missing."""
        value = self._get(key, str)
        return value if value is None else str(value)  # a string: `str` is for the type checker

    def needed(self, key: str) -> str:
        """Return a required string that is not blank."""
        value = self.text(key)
        if value is None or not value.strip():
            raise BadParamsError(f"'{key}' is missing: text is needed")
        return value

    def flag(self, key: str) -> bool:
        """Return a boolean, False if it is missing."""
        return bool(self._get(key, bool))

    def index(self, key: str) -> int | None:
        """Return an integer that is at least 0, None if it is missing."""
        value = self._get(key, int)
        # A bool is an int in Python, but not a number in JSON.
        if isinstance(value, bool) or (value is not None and value < 0):
            raise BadParamsError(f"'{key}' must be a number of at least 0")
        return None if value is None else int(value)

    def number(self, key: str, default: D) -> int | D:
        """Return an integer of at least 1, ``default`` if it is missing."""
        value = self._get(key, int)
        if value is None:
            return default
        if isinstance(value, bool) or value < 1:  # a bool is an int in Python
            raise BadParamsError(f"'{key}' must be a number above 0")
        return int(value)

    def one_of(self, key: str, choices: Sequence[str]) -> str:
        """Return a required string out of ``choices``."""
        value = self.text(key)
        if value is None or value not in choices:
            raise BadParamsError(
                f"'{key}' must be one of {', '.join(choices)}, got {_type_name(value)}"
            )
        return value

    def texts(self, key: str) -> list[str] | None:
        """Return a list of strings, None if it is missing."""
        value = self._get(key, list)
        if value is not None and not all(isinstance(item, str) for item in value):
            raise BadParamsError(f"every item of '{key}' must be text")
        return value  # type: ignore[no-any-return]  # its items were checked

    def table(self, key: str) -> dict[str, Any] | None:
        """Return an object, None if it is missing."""
        return self._get(key, dict)  # type: ignore[no-any-return]

    def path(self, key: str) -> Path | None:
        """Return the path of a ``file:`` URI; None if the URI is missing or has no valid path."""
        uri = self.text(key)
        return convert.to_path(uri) if uri else None

    def _get(self, key: str, kind: type) -> Any:
        """Return the value of ``key``, which is of the type ``kind``; None if it is missing."""
        value = self._values.get(key)
        if value is not None and not isinstance(value, kind):
            raise BadParamsError(f"'{key}' must be {_TYPE_NAMES[kind]}, got {_type_name(value)}")
        return value


def _type_name(value: Any) -> str:
    """Return the type of ``value``, never its content: that may be a misplaced secret."""
    return "nothing" if value is None else _TYPE_NAMES.get(type(value), type(value).__name__)


def document_uri(params: Any) -> str:
    """Return the URI in ``textDocument`` of a standard request.

    Raises:
        BadParamsError: it is missing or not text.

    """
    document = params.get("textDocument") if isinstance(params, dict) else None
    uri = document.get("uri") if isinstance(document, dict) else None
    if not isinstance(uri, str):
        raise BadParamsError("'textDocument.uri' is missing")
    return uri


def version(params: Any) -> int:
    """Return the version of ``textDocument``, 0 if it is missing or null.

    :func:`document_uri` has checked before that ``textDocument`` is an object.

    Raises:
        BadParamsError: it is not a number.

    """
    value = params["textDocument"].get("version")
    if value is not None and type(value) is not int:
        raise BadParamsError("'textDocument.version' is not a number")
    return value or 0


def content_changes(params: Any) -> list[dict[str, Any]]:
    """Return ``contentChanges`` of ``textDocument/didChange``, each checked.

    :func:`document_uri` has checked before that ``params`` is an object.

    Raises:
        BadParamsError: they are not a list, or one is malformed; then none must be applied.

    """
    changes = params.get("contentChanges")
    if not isinstance(changes, list) or not all(map(_is_content_change, changes)):
        raise BadParamsError("'contentChanges' must be a list of changes with 'text' and 'range'")
    return changes


def _is_content_change(change: Any) -> bool:
    """Whether ``change`` has a text, and a valid range, or no range: it then replaces all."""
    if not isinstance(change, dict) or not isinstance(change.get("text"), str):
        return False
    span = change.get("range")
    if span is None:
        return True
    return (
        isinstance(span, dict) and _is_position(span.get("start")) and _is_position(span.get("end"))
    )


def _is_position(value: Any) -> bool:
    """Whether ``value`` has a line and a character, both integers."""
    return (
        isinstance(value, dict)
        and type(value.get("line")) is int
        and type(value.get("character")) is int
    )


def previous_results(params: Any) -> dict[str, Any]:
    """Return {uri: result id} of ``previousResultIds`` in ``workspace/diagnostic``.

    {} if it is missing. A result id is not checked: it is only compared.

    Raises:
        BadParamsError: they are not a list, or one of them has no URI.

    """
    results = params.get("previousResultIds") if isinstance(params, dict) else None
    items = [] if results is None else results
    if not isinstance(items, list) or not all(
        isinstance(previous, dict) and isinstance(previous.get("uri"), str) for previous in items
    ):
        raise BadParamsError("'previousResultIds' must be a list of objects with 'uri' and 'value'")
    return {previous["uri"]: previous.get("value") for previous in items}
