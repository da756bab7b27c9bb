"""Errors that any package may raise and every interface shows."""

from __future__ import annotations


class UsageError(ValueError):
    """A request that cannot be carried out. Its message is shown to the user unchanged."""
