"""Agent Memory: see, check and safely write what an AI agent remembers.

The core is pure standard library; nothing here imports the language server.
"""

from __future__ import annotations

__version__ = "0.1.0"
