"""The scenarios of all rows; the modules register them."""

from requirements.scenario import SCENARIOS
from requirements.scenarios import commands, entries, entry_format, files, learnings, safety

__all__ = ["SCENARIOS", "commands", "entries", "entry_format", "files", "learnings", "safety"]
