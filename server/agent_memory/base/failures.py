"""Unexpected errors: logged once, without the text that caused them, while the work goes on."""

from __future__ import annotations

_FRAMES = 20  # of the traceback: the last ones
_logged: set[tuple[str, str]] = set()  # (task, location)


def log_failure(error: BaseException, task: str) -> str:
    """Log ``error``, which ended ``task``; return the name of its type, for a message.

    The log has type and location only, because the message of an exception may quote memory. Of
    the errors of one task at the same location only the first is logged.
    """
    import logging  # noqa: PLC0415 -- 5 ms that only a failure needs
    import traceback  # noqa: PLC0415

    name = type(error).__name__
    location = "".join(traceback.format_tb(error.__traceback__, -_FRAMES))
    if (task, location) not in _logged:
        _logged.add((task, location))
        logging.getLogger(__name__).error("%s in %s\n%s", name, task, location)
    return name
