"""Errors that every package may raise and every face shows."""

from __future__ import annotations


class UsageError(ValueError):
    """A request that cannot be carried out as given. Its message is shown to the user as is."""
