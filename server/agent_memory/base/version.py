"""The version of Agent Memory."""

__version__ = "0.1.0"
