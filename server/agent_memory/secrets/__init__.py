"""Secret detection: kinds as data and a scanner with bounded time. It never returns a value."""

from __future__ import annotations

from agent_memory.secrets.model import Confidence, Group, Secret
from agent_memory.secrets.output import (
    Exact,
    FilteredStream,
    MaskedStream,
    Repeated,
    accept,
    print_exception,
    reset,
    revision,
    shown,
    shown_json,
)
from agent_memory.secrets.redact import mask, mask_parts, redact_for_memory, without_secrets
from agent_memory.secrets.scanner import cut, find, find_line, has_secret, learn, may_hold_secret

__all__ = [
    "Confidence",
    "Exact",
    "FilteredStream",
    "Group",
    "MaskedStream",
    "Repeated",
    "Secret",
    "accept",
    "cut",
    "find",
    "find_line",
    "has_secret",
    "learn",
    "mask",
    "mask_parts",
    "may_hold_secret",
    "print_exception",
    "redact_for_memory",
    "reset",
    "revision",
    "shown",
    "shown_json",
    "without_secrets",
]
