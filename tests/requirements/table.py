"""The table of all rows: how each one is shown, and what the interfaces answered."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from requirements.probes import PROBES

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "internal" / "requirements.md"
RESULT = ROOT / ".cache" / "results" / "requirements.md"
_ROW = re.compile(r"^\| ([A-EX]\d+) \| (.+?) \| (.+?) \| (.+) \|$", re.MULTILINE)
_answers: dict[str, set[str]] = defaultdict(set)


class Row(NamedTuple):
    """A row of the page."""

    id: str
    text: str
    built: str
    shown: str

    @property
    def tests(self) -> list[str]:
        """The named tests."""
        return re.findall(r"`(test_\w+)`", self.shown)

    @property
    def kind(self) -> str:
        """How the row is held: ``probed``, ``decision`` or ``test``."""
        if any(self.id in probe.rows.split() for probe in PROBES):
            return "probed"
        return "decision" if "*Decision*" in self.shown else "test"


def rows() -> list[Row]:
    """Return the rows of the page in order."""
    return [Row(*found) for found in _ROW.findall(PAGE.read_text("utf-8"))]


def answered(names: str, face: str) -> None:
    """Record that ``face`` gave the answer of the rows ``names``."""
    for name in names.split():
        _answers[name].add(face)


def write(found: list[Row]) -> None:
    """Write the table of this run."""
    lines = ["| row | requirement | held by | asked |", "|---|---|---|---|"]
    for row in found:
        asked = ", ".join(sorted(_answers[row.id])) or "-"
        lines.append(f"| {row.id} | {row.text} | {row.kind} | {asked} |")
    counts = {
        kind: sum(row.kind == kind for row in found) for kind in ("probed", "decision", "test")
    }
    lines += ["", ", ".join(f"{kind}: {count}" for kind, count in counts.items()), ""]
    RESULT.parent.mkdir(parents=True, exist_ok=True)
    RESULT.write_text("\n".join(lines), "utf-8")
