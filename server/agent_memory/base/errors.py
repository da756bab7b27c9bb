"""Errors that any package may raise and every interface shows."""

from __future__ import annotations

TYPE_CHECKING = False  # importing typing would delay the start: see boot.py
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import ClassVar


class UsageError(ValueError):
    """A request that cannot be carried out. Its message is shown to the user.

    ``mask`` hides the secrets in messages; the package ``secrets`` sets it when it is imported.
    Until then messages stay as they are.
    """

    mask: ClassVar[Callable[[str], str]] = str

    def __str__(self) -> str:
        """Return the message, with secrets masked."""
        return type(self).mask(super().__str__())
