"""Secret detection: kinds as data and a scanner with bounded time. It never returns a value."""

from __future__ import annotations

from agent_memory.secrets.model import Confidence, Group, Secret
from agent_memory.secrets.redact import mask, mask_parts, redact_for_memory
from agent_memory.secrets.scanner import find, find_line

__all__ = [
    "Confidence",
    "Group",
    "Secret",
    "find",
    "find_line",
    "mask",
    "mask_parts",
    "redact_for_memory",
]
