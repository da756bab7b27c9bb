"""The table of all rows: how each one is shown, and what the interfaces answered."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from requirements.probes import PROBES
from requirements.scenario import READERS
from requirements.scenarios import SCENARIOS

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "internal" / "requirements.md"
RESULT = ROOT / ".cache" / "results" / "requirements.md"
_ROW = re.compile(r"^\| ([A-EX]\d+) \| (.+?) \| (.+?) \| (.+) \|$", re.MULTILINE)
_ASKED = "asked"
KINDS = ("probed", "decision", "test")
_answers: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
"""By row and interface: whether each of its tests passed."""


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
        if any(self.id in item.rows.split() for item in (*PROBES, *SCENARIOS)):
            return "probed"
        return "decision" if "*Decision*" in self.shown else "test"


def rows() -> list[Row]:
    """Return the rows of the page in order."""
    return [Row(*found) for found in _ROW.findall(PAGE.read_text("utf-8"))]


def record(property_of_test: Callable[[str, object], None], names: str, face: str) -> None:
    """Note in the report of a test that it asks ``face`` about the rows ``names``."""
    property_of_test(_ASKED, [names, face])


def collect(report: pytest.TestReport) -> None:
    """Keep what a test has asked; the reports of all processes arrive in the first one."""
    for key, value in report.user_properties:
        if key == _ASKED and report.when == "call":
            for name in value[0].split():
                _answers[name][value[1]].append(report.passed)


def write() -> None:
    """Write the table if this run has asked about every row that can be asked."""
    found = rows()
    if any(row.kind == "probed" and not _answers[row.id] for row in found):
        return
    lines = [
        "| row | requirement | held by | asked | not asked | result |",
        "|---|---|---|---|---|---|",
    ]
    for row in found:
        answers = _answers[row.id]
        asked = ", ".join(sorted(answers)) or "-"
        met = all(all(passed) for passed in answers.values())
        result = ("met" if met else "NOT MET") if answers else "-"
        lines.append(
            f"| {row.id} | {row.text} | {row.kind} | {asked} | {_reason(row)} | {result} |"
        )
    counts = Counter(row.kind for row in found)
    lines += ["", ", ".join(f"{kind}: {counts[kind]}" for kind in KINDS), ""]
    RESULT.parent.mkdir(parents=True, exist_ok=True)
    RESULT.write_text("\n".join(lines), "utf-8")


def _reason(row: Row) -> str:
    """Return why an interface is not asked about the row."""
    if row.kind == "decision":
        return re.sub(r"\*Decision\*:? ?|; `test_.*|`test_.*", "", row.shown)
    if set(READERS) <= set(_answers[row.id]):
        return ""
    reasons = (item.why for item in SCENARIOS if row.id in item.rows.split() and item.why)
    return "; ".join(dict.fromkeys(reasons))
