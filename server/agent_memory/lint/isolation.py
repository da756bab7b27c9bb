"""Failures of rules: the other rules go on, and each file gets one finding about its failures."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agent_memory.base.failures import log_failure
from agent_memory.base.model import Finding, Severity
from agent_memory.base.text import Span
from agent_memory.l10n import t

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from agent_memory.lint.rule import Hit

CODE, NAME = "AM103", "unreadable"
"""The rule that a finding about failures counts to: the file could not be checked as a whole."""
FAILED = "failed"
"""Key of the data of a finding about failures."""
_NAMED = 3
"""Maximum number of failures that the message names."""


@dataclass(slots=True)
class Failures:
    """The name of each error's type, by what it ended: the code of a rule, or another task."""

    errors: dict[str, str] = field(default_factory=dict)

    def hits(self, code: str, check: Callable[[], Iterable[Hit]]) -> list[Hit]:
        """Return the hits of ``check``, the check of the rule ``code``; none if it fails."""
        try:
            return list(check())
        except Exception as error:  # noqa: BLE001 -- any error of a rule
            self.add(code, error)
            return []

    def add(self, code: str, error: Exception) -> None:
        """Log and add the failure of the rule ``code``, or of another task.

        Of several failures of one rule, only the first one is added.
        """
        self.errors.setdefault(code, log_failure(error, code))

    def findings(self, path: Path) -> list[Finding]:
        """Return a list of one finding in ``path``, about all failures; [] without failures."""
        if not self.errors:
            return []
        names = [*self.errors][:_NAMED]
        more = "…" if len(self.errors) > _NAMED else ""
        kinds = ", ".join(dict.fromkeys(self.errors.values()))
        message = t(
            "An internal error ended {1} on {0} ({2})\n"
            "The other checks ran. The log has the details: please report them.",
            path.name,
            ", ".join(names) + more,
            kinds,
        )
        place = Span(0, 0, 0, 0)
        fact, _, advice = message.partition("\n")
        data = {FAILED: True}
        return [Finding(CODE, NAME, Severity.ERROR, fact, path, place, data=data, advice=advice)]
