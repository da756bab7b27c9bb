"""Translates messages into the language of the editor.

The English sentence is the key, as in the bundles of VS Code: English needs no catalog, and the
fallback for a missing translation is English. A process serves one user, so the language is global
to the process; only the language server sets it. Text for files, prompts and programs is not
translated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

LANGUAGES = ("de",)
"""Languages with a catalog, ``<language>.json`` next to this file."""

_words: dict[str, str] = {}  # the catalog in use: translation by English message; empty: English
_callbacks: list[Callable[[], None]] = []  # see on_language_change
_revision = 0  # see revision


class _Counted(int):
    """A number with dots as thousands separators."""

    def __format__(self, spec: str) -> str:
        """Return the number as :func:`format` does, with dots instead of commas."""
        return format(int(self), spec).replace(",", ".")


def use(locale: object) -> None:
    """Use the language of ``locale``, such as ``de-AT`` or ``de_AT``.

    The language is English if ``locale``, which a client sent, is not a text or has no catalog.
    """
    language = ""
    if isinstance(locale, str):
        language = locale.replace("_", "-").partition("-")[0].lower()
    words = _catalog(language) if language in LANGUAGES else {}
    if words != _words:  # callbacks drop caches, so a call without a change must not run them
        _words.clear()
        _words.update(words)
        global _revision  # noqa: PLW0603 -- one language per process
        _revision += 1
        for callback in _callbacks:
            callback()


def t(message: str, *values: object) -> str:
    """Return ``message`` in the current language; ``values`` replace ``{0}``, ``{1:,}`` ….

    Without values, braces are literal.
    """
    text = _words.get(message, message)
    if not values:
        return text
    if _words:  # a catalog other than English, whose ``{0:,}`` must not show commas
        values = tuple(_Counted(value) if type(value) is int else value for value in values)
    return text.format(*values)


def untranslated(message: str) -> str:
    """Return ``message``, to be passed to :func:`t` later, when the language is known.

    The call marks it as a message for the catalogs.
    """
    return message


def on_language_change(callback: Callable[[], None]) -> None:
    """Call ``callback`` after each change of language: it clears a module's cache of messages."""
    _callbacks.append(callback)


def revision() -> int:
    """Return a number that grows with each change of language.

    The cache of an object compares it, as a callback would keep the object alive.
    """
    return _revision


def _catalog(language: str) -> dict[str, str]:
    """Return {English text: text in ``language``}."""
    import json  # noqa: PLC0415 -- English needs no catalog
    from pathlib import Path  # noqa: PLC0415

    words: dict[str, str] = json.loads(Path(__file__).with_name(f"{language}.json").read_bytes())
    return words
