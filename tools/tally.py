"""Sum the JUnit reports of all runners: ``python tools/tally.py FOLDER NAME...``.

Prints a line for each report, then every test that was skipped or failed, and at the end, alone
on its line, ``N passed, N failed``. Exits 1 if a test failed, if a named report is missing or holds
no test, or if a test was skipped for another reason than the platform: such a skip is counted
as a failure.
"""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

PLATFORM = re.compile(
    r"\b(Windows|macOS|Linux|platform|root|file system|on this machine)\b", re.IGNORECASE
)

MAX_REASON = 600
"""In characters: node's reports have a message and its stack without line breaks."""


def outcome(case: ET.Element) -> tuple[str, str]:
    """Return ``passed``, ``failed`` or ``skipped`` with the reason."""
    for tag in ("failure", "error"):
        found = case.find(tag)
        if found is not None:
            return "failed", (found.get("message") or found.text or "").strip()
    skip = case.find("skipped")
    if skip is None:
        return "passed", ""
    reason = skip.get("message") or skip.text or "no reason given"
    return ("skipped" if PLATFORM.search(reason) else "failed"), f"skipped: {reason}"


def tally(path: Path, others: list[str]) -> Counter[str]:
    """Count the outcomes of one report; append a line to ``others`` for each that did not pass."""
    counts: Counter[str] = Counter()
    for case in ET.parse(path).iter("testcase"):
        verdict, reason = outcome(case)
        counts[verdict] += 1
        if verdict != "passed":
            first = reason.splitlines()[0][:MAX_REASON] if reason else ""
            others.append(f"{verdict}: {case.get('classname', '')} {case.get('name')}: {first}")
    return counts


def main(folder: Path, names: list[str]) -> int:
    """Print the sums; return the exit code."""
    total: Counter[str] = Counter()
    others: list[str] = []
    for name in names:
        reports = sorted(folder.glob(f"{name}*.xml"))
        counts = sum((tally(path, others) for path in reports), Counter[str]())
        if not counts:
            others.append(f"failed: {name}: no report, or one without a test")
            counts["failed"] += 1
        print(f"{name}: {counts['passed']} passed, {counts['failed']} failed", end="")
        print(f", {counts['skipped']} skipped by the platform" if counts["skipped"] else "")
        total += counts
    print(*others, sep="\n")
    print(f"\n{total['passed']} passed, {total['failed']} failed")
    return int(total["failed"] > 0)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
