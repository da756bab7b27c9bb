"""Write docs/rules/README.md, and the measured rate into each rule's page.

Usage: python tools/rule_docs.py, or `make docs`. A test fails if the files are not current.
The rate comes from tests/rules/corpus_labels.csv: findings on real files, each judged by hand.
"""

from __future__ import annotations

import csv
import re
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "server"))

from agent_memory.lint.rules import RULES  # noqa: E402

if TYPE_CHECKING:
    from agent_memory.lint.rule import Rule

PAGES = ROOT / "docs" / "rules"
LABELS = ROOT / "tests" / "rules" / "corpus_labels.csv"
CASES = ROOT / "tests" / "rules" / "cases"
FILES = 248
_MEASURED = re.compile(r"(<!-- measured: [^>]*-->\n).*?(<!-- end -->)", re.DOTALL)
_FAMILIES = (
    ("AM1", "How the runtime reads the file"),
    ("AM2", "Secrets"),
    ("AM3", "Size"),
    ("AM4", "Structure"),
    ("AM5", "References"),
    ("AM6", "Content"),
    ("AM7", "Skills"),
    ("AM8", "Learned entries and Claude MPM"),
    ("AM9", "Suppressions and settings"),
)
_INTRO = """# Rules

Each finding names the problem, its effect in the chosen runtime, and what to do. `agent-memory
rules` prints this list, `agent-memory rules CODE` a page. Severities are set by code or name
(`rules` in the settings). A comment suppresses a single finding:
`<!-- agent-memory: disable-next-line AM107 reason -->` (also `disable` to `enable`, and
`disable-file`). Findings that are accepted permanently go into the baseline.

*Found* counts the findings in {files} real memory and skill files of 25 public repositories, and
how many of them are right; each was read and judged (tests/rules/corpus_labels.csv). A rule with
findings there stays on by default only with a precision of 0.95 (errors) or 0.9 (warnings). Most
rules have none (0, 0), so their precision is not measured. *Fix*: a safe fix never changes what
the agent is told.

Held out: 884 memory and skill files of 14 published packages that were not used to write the rules,
most of them English, were checked as well, each in the tree it is published with. Every kind of
finding was read, and repeated ones by samples: 36 of 269 were wrong (35 of `duplicate-in-file`,
options of several commands; one of `stale-link`, a link in a fence inside a fence). These were
fixed; 226 findings are left. 130 of them are broken links in the published tree, which may lack
files of the repository, so they say little about precision. 1,500 more Markdown files of these
packages, read as memory, gave no finding of a secret, hidden character or conflict, and showed the
false positives of three more rules (`duplicate-heading`, `empty-section`, `transient`), which were
fixed too. In 80 files, 19 faults were planted in each: all were found except 8 of 80 random
passwords, which were taken for words.

Unseen repositories: samples of public repositories that no rule was made with were checked, each
finding judged by one person from its lines and the tree. One cause in one repository counts once;
right of all:

| sample | files | errors | warnings | info | after the fixes, on the same files |
|---|---|---|---|---|---|
| 13 repositories | 201 | 1 of 1 | 13 of 20 | 12 of 13 | |
| 55 repositories | 1,107 | 5 of 9 | 34 of 52 | 38 of 40 | 4 of 4, 37 of 37, 38 of 40 |
| 44 repositories | 731 | 1 of 2 | 27 of 32 | 25 of 26 | |
| 38 repositories | 338 | 1 of 6 | 8 of 9 | 15 of 17 | |
| 25 repositories | 604 | 2 of 2 | 15 of 21 | 12 of 14 | |
| 33 repositories | 474 | | 10 of 14 | 9 of 9 | |
| 49 repositories | 784 | | 18 of 21 | 19 of 23 | |
| 49 repositories | 905 | | 21 of 25 | 36 of 39 | |
| 50 repositories | 819 | 2 of 2 | 24 of 29 | 31 of 36 | |
| 51 repositories | 694 | | 21 of 25 | 25 of 34 | |
| 45 repositories | 945 | | 28 of 33 | 46 of 59 | |
| 45 repositories | 467 | | 12 of 13 | 20 of 22 | |
| 88 repositories | 1,150 | | 38 of 45 | 52 of 64 | 38 of 39, 52 of 57 |
| 40 repositories | 975 | | 34 of 40 | 30 of 40 | 34 of 38, 30 of 33 |

Each row was measured with the fixes for the rows above it. In the last twelve rows together, which
are 557 repositories, 6 of 12 errors, 256 of 307 warnings (0.83) and 320 of 383 infos (0.84) were
right. One row reaches the aim, 0.9 for warnings. So expect about one warning in seven to be wrong
in a project of a new kind. In the last two rows, 13 of 14 warnings and 8 of 13 infos of
`stale-tree` were right: wrong ones are trees of a plan or of another place. Five of the six wrong
errors named a guessed runtime for skills that Claude Code and Codex load; since then, a runtime is
named only if it was chosen, is installed or was seen to skip the skill. With the rules of the row
of 467 files, 644 repositories of all samples had 30 errors of 9 causes, all of them right; the last
two samples have no error. Wrong warnings are of many kinds.

How much is found: 40 files of each of the last two samples were read line by line by readers who
did not know the findings. They named 60 and 39 faults: dead paths, links and entries of trees,
commands that fail, wrong versions and contradictions. 24 and 16 of them were found, and 31 and 16
after the fixes. Not found are contradictions that need an understanding of the code, names that a
file in another folder has too, versions that are behind by less than a major one, files named in a
sentence without anything that shows that they are of this project, and seven in one vendored copy,
which is not checked. So about half of what a careful reader finds is reported.

To add a rule: `tools/new-rule NAME`. This page is written by tools/rule_docs.py (`make docs`).
"""


def rates() -> dict[str, tuple[int, int]]:
    """Return (right, all) findings on the real files, by code."""
    right: Counter[str] = Counter()
    every: Counter[str] = Counter()
    with LABELS.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            every[row["code"]] += 1
            right[row["code"]] += row["verdict"] == "right"
    return {code: (right[code], count) for code, count in every.items()}


def fixes(rule: Rule) -> str:
    """Return which fixes the rule's examples show: safe, unsafe or none."""
    texts = [path.read_text("utf-8") for path in sorted((CASES / rule.name).glob("bad*.txt"))]
    kinds = [
        kind for kind in ("safe", "unsafe") if any(f"    {kind} fix" in text for text in texts)
    ]
    return ", ".join(kinds)


def overview() -> str:
    """Return the text of docs/rules/README.md."""
    measured = rates()
    out = [_INTRO.format(files=FILES)]
    for prefix, title in _FAMILIES:
        rows = [rule for rule in RULES if rule.code.startswith(prefix)]
        if not rows:
            continue
        out.append(f"## {title}\n\n| code | name | severity | fix | what | found, right |")
        out.append("|---|---|---|---|---|---|")
        for rule in rows:
            right, count = measured.get(rule.code, (0, 0))
            severity = f"{rule.severity}" if rule.on else f"{rule.severity} (off)"
            out.append(
                f"| [{rule.code}]({rule.code}.md) | {rule.name} | {severity} | {fixes(rule)} "
                f"| {rule.summary} | {count}, {right} |"
            )
        out.append("")
    return "\n".join(out).rstrip() + "\n"


def measured_line(rule: Rule) -> str:
    """Return the sentence about the rule on real files."""
    right, count = rates().get(rule.code, (0, 0))
    if not count:
        return f"No finding in {FILES} real memory and skill files of 25 public repositories."
    return (
        f"{count} finding{'s' * (count > 1)} in {FILES} real memory and skill files of 25 public "
        f"repositories, {right} of them right."
    )


def with_rate(rule: Rule, page: str) -> str:
    """Return ``page`` with the measured rate of today."""
    return _MEASURED.sub(lambda match: f"{match[1]}{measured_line(rule)}\n{match[2]}", page)


def main() -> None:
    """Write the files."""
    (PAGES / "README.md").write_text(overview(), "utf-8")
    for rule in RULES:
        path = PAGES / f"{rule.code}.md"
        if path.exists():
            path.write_text(with_rate(rule, path.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
