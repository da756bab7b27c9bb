"""A result that is sent later."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Pending:
    """The result of a handler of the fast lane that is not known yet.

    The feature calls ``resume`` when the result can be computed. The fast lane has set it: it
    calls the handler again, or does nothing if the client has canceled the request.
    """

    def __init__(self) -> None:
        self.resume: Callable[[], None] = lambda: None
