"""Error codes of JSON-RPC and LSP, and the error that answers an exception."""

from __future__ import annotations

from agent_memory.base.errors import UsageError
from agent_memory.base.failures import log_failure

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND = -32700, -32600, -32601
INVALID_PARAMS, INTERNAL_ERROR, NOT_INITIALIZED = -32602, -32603, -32002
REQUEST_CANCELLED = -32800


def is_id(value: object) -> bool:
    """Whether ``value`` may be the id of a request: text or an integer, also written 1.0."""
    if isinstance(value, float):
        return value.is_integer()
    return isinstance(value, str | int) and not isinstance(value, bool)


def log_ignored(method: str, reason: str) -> None:
    """Log that a notification is ignored. ``reason`` must not quote its parameters."""
    import logging  # noqa: PLC0415 -- 5 ms that the answer to `initialize` does not need

    logging.getLogger(__name__).warning("ignored %.100r: %s", method, reason)


class BadParamsError(ValueError):
    """The parameters are invalid; the message says why. Answered with code -32602."""


def describe(error: BaseException) -> tuple[int, str]:
    """Return the code and the message that answer ``error``; log it if it is an internal one.

    The log has type and location only: the message of an exception may quote memory.
    """
    if isinstance(error, BadParamsError | UsageError):
        return INVALID_PARAMS, str(error)
    name = log_failure(error, "a handler")
    return INTERNAL_ERROR, f"internal error ({name}); see the server's log"
