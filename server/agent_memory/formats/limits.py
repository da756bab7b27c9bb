"""The limits of the parsers, and the errors for a text that exceeds one.

The libraries recurse into nested values, expand aliases and take minutes for a megabyte of YAML.
No file that people write comes near these limits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agent_memory.base.failures import log_failure
from agent_memory.l10n import t, untranslated

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_DEPTH = 100
"""Lists and tables inside each other, and parts of a dotted key."""
MAX_DIGITS = 1000
"""Digits in a row in a number. Python refuses to parse or print an int of over 4,300."""


class FormatError(ValueError):
    """The text cannot be parsed; the message says why and where.

    ``line`` counts from 0; it is None if the position is unknown. With a line, ``message`` is not
    translated yet and has the placeholder ``{0}`` for the line counted from 1.
    """

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message if line is None else t(message, line + 1))
        self.message = message
        self.line = line

    def moved(self, first_line: int) -> FormatError:
        """Return the error for the file, in which the parsed text begins on line ``first_line``.

        Lines count from 0. An error without a line is returned as it is.
        """
        return self if self.line is None else FormatError(self.message, self.line + first_line)


def too_deep(line: int) -> FormatError:
    """Return the error for values nested too deeply on ``line``, from 0."""
    return FormatError(untranslated("too deeply nested (line {0})"), line)


def no_character() -> FormatError:
    r"""Return the error for an escape above U+10FFFF, such as ``\UFFFFFFFF``."""
    return FormatError(t("an escape names no character"))


def too_large(line: int) -> FormatError:
    """Return the error for a text that exceeds the limit of its size on ``line``, from 0.

    In YAML, the values of an alias count each time it is used.
    """
    return FormatError(untranslated("too large (line {0})"), line)


def too_many_digits(line: int) -> FormatError:
    """Return the error for a number with too many digits on ``line``, from 0."""
    return FormatError(untranslated("a number with too many digits (line {0})"), line)


def unexpected(error: Exception, task: str) -> str:
    """Log ``error``, which ended the reading of ``task``, and return the message about it.

    ``task`` is a noun for the log, such as "a skill".
    """
    return t("an internal error ended reading it ({0}); see the log", log_failure(error, task))


def line_of(text: str, offset: int) -> int:
    """Return the line of ``offset`` in ``text``, from 0."""
    return text.count("\n", 0, offset)


def parse(text: str, most: int, check: Callable[[str], None], load: Callable[[str], Any]) -> Any:
    """Return ``load(text)`` if ``text`` has at most ``most`` characters and passes ``check``.

    ``check`` raises FormatError for a text that exceeds another limit.

    Raises:
        FormatError: ``text`` has more characters, ``check`` raises it, or ``load`` raises
            ValueError or RecursionError.

    """
    if len(text) > most:
        raise too_large(0)  # the whole text, so the first line
    check(text)
    try:
        return load(text)
    except RecursionError:  # the line is unknown, so it is the first one
        raise too_deep(0) from None
    except ValueError as error:
        raise FormatError(str(error)) from error
