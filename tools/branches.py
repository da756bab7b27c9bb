"""Print the branch coverage of a JSON report of coverage.py; exit 1 if it is below LEAST percent.

Statements are not counted: a line that ran says nothing about the branch that was not taken.

Usage: python tools/branches.py REPORT LEAST
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

WORST = 10


def main(report: str, least: str) -> int:
    """Print the share, and the files with the most branches left where it is too small."""
    files = json.loads(Path(report).read_text("utf-8"))["files"]
    counts = {name: item["summary"] for name, item in files.items()}
    taken = sum(item["covered_branches"] for item in counts.values())
    every = sum(item["num_branches"] for item in counts.values())
    share = 100 * taken / every
    print(f"branches: {taken:,} of {every:,} ({share:.1f} %)")
    if share >= float(least):
        return 0
    print(f"at least {least} % are asked for; most are left in:")
    for name in sorted(counts, key=lambda name: -counts[name]["missing_branches"])[:WORST]:
        print(f"  {counts[name]['missing_branches']:>4}  {name}")
    return 1


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
