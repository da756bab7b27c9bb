"""Messages in the language of the editor.

The English sentence is the key, as in VS Code's bundles and in those of our extension: English
costs no file, and what is not translated is said in English. A process speaks with one person,
so the language is the process's; only the language server ever sets it. What is written into
files, into prompts and for programs is not a message and stays as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

LANGUAGES = ("de",)
"""Languages there is a catalogue of, ``<language>.json`` beside this file."""

_words: dict[str, str] = {}
_callbacks: list[Callable[[], None]] = []
_revision = 0


class _Counted(int):
    """A number that writes its thousands with dots."""

    def __format__(self, spec: str) -> str:
        """Return the number as :func:`format` does, with dots for commas."""
        return format(int(self), spec).replace(",", ".")


def use(locale: object) -> None:
    """Speak the language of ``locale``, such as ``de-AT``; English where it is none of ours."""
    language = locale.replace("_", "-").partition("-")[0].lower() if isinstance(locale, str) else ""
    words = _catalogue(language) if language in LANGUAGES else {}
    if words != _words:
        _words.clear()
        _words.update(words)
        global _revision  # noqa: PLW0603 -- one language per process
        _revision += 1
        for callback in _callbacks:
            callback()


def t(message: str, *values: object) -> str:
    """Return ``message`` in the language in use, ``{0}``, ``{1:,}`` … filled in with ``values``.

    Without values nothing is filled in, and braces are braces.
    """
    text = _words.get(message, message)
    if not values:
        return text
    if _words:
        values = tuple(_Counted(item) if type(item) is int else item for item in values)
    return text.format(*values)


def untranslated(message: str) -> str:
    """Return ``message``: it is given to :func:`t` later, when the language is known."""
    return message


def on_language_change(callback: Callable[[], None]) -> None:
    """Call ``callback`` after each change of language: it clears a module's cache of messages."""
    _callbacks.append(callback)


def revision() -> int:
    """Return a number that grows with each change of language, for caches with an owner."""
    return _revision


def _catalogue(language: str) -> dict[str, str]:
    import json  # noqa: PLC0415 -- English needs no catalogue
    from pathlib import Path  # noqa: PLC0415

    words: dict[str, str] = json.loads(Path(__file__).with_name(f"{language}.json").read_bytes())
    return words
