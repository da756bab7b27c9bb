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
| 42 repositories | 961 | 1 of 1 | 29 of 34 | 21 of 24 | 1 of 1, 30 of 30, 17 of 19 |
| 46 repositories | 1,109 | 0 of 1 | 33 of 42 | 27 of 37 | 35 of 37, 25 of 28 |
| 52 repositories | 1,105 | 1 of 1 | 39 of 54 | 31 of 53 | 1 of 1, 39 of 50, 27 of 30 |
| 50 repositories | 1,043 | | 34 of 36 | 27 of 30 | 34 of 34, 27 of 29 |
| 50 repositories | 574 | 1 of 1 | 26 of 34 | 27 of 32 | 1 of 1, 26 of 26, 26 of 28 |
| 50 repositories | 1,457 | | 43 of 53 | 29 of 35 | 43 of 45, 29 of 33 |
| 50 repositories | 1,578 | 2 of 2 | 35 of 38 | 12 of 14 | 2 of 2, 35 of 36, 12 of 13 |
| 45 repositories | 1,015 | | 37 of 38 | 23 of 34 | 41 of 42, 25 of 28 |
| 77 repositories | 1,690 | 3 of 3 | 78 of 91 | 38 of 50 | 3 of 3, 79 of 79, 38 of 41 |
| 61 repositories | 1,723 | 5 of 5 | 74 of 85 | 40 of 45 | 5 of 5, 74 of 74, 40 of 40 |
| 52 repositories | 1,881 | 1 of 2 | 90 of 106 | 50 of 54 | 1 of 2, 99 of 100, 51 of 52 |
| 55 repositories | 1,066 | 1 of 2 | 59 of 63 | 42 of 48 | 1 of 1, 61 of 63, 44 of 46 |
| 52 repositories | 813 | | 57 of 64 | 40 of 41 | 59 of 59, 42 of 42 |
| 51 repositories | 908 | | 52 of 60 | 42 of 46 | 58 of 58, 50 of 50 |
| 54 repositories | 1,589 | | 68 of 77 | 32 of 39 | |
| 50 repositories | 485 | | 32 of 34 | 25 of 26 | |

Each row was measured with the fixes for the rows above it. In all but the first two rows together,
which are 1,394 repositories, 21 of 30 errors, 1,042 of 1,216 warnings (0.86) and 826 of 991 infos
(0.83) were right. The aim is 0.95 of the errors, 0.9 of the warnings and 0.85 of the infos. The
last six rows together have 2 of 4, 358 of 404 (0.89) and 231 of 254 (0.91); two of the six reach
the aim for warnings, and five that for infos. The names in the last row were not compared with
those of earlier rows, of which it may repeat one. So expect up to one warning in eight to be wrong
in a project of a new kind. Many of the wrong ones are in toolkits, templates and mirrors, whose
memory is about the projects that it is copied to. By rule, of the warnings in the four rows with
1,043, 574, 1,457 and 1,578 files: `stale-link` 26 of 26, `unclosed-fence` 9 of 9, `stale-command` 7
of 7, `stale-tree` 21 of 23, `machine-path` 3 of 3, `stale-path` 8 of 8 for files that were moved,
31 of 39 for other paths that a commit deleted, 8 of 10 with a replacement, and 14 of 24 for other
paths that git never had. Nearly all of the last were wrong for a reason that is fixed now. Some of
the wrong errors in earlier rows named a guessed runtime for skills that Claude Code and Codex load;
since then, a runtime is named only if it was chosen, is installed, has a file of its own or was
seen to skip the skill.

How much is found: 40 files of each of eight samples were read line by line by readers who did not
know the findings. In the first two of them they named 60 and 39 faults, of which 24 and 16 were
found. In the next five they named 97 dead paths, 35 commands that fail, and 89 contradictions: 35
paths, 2 commands and 7 contradictions were found (18 of the missed paths are in one file whose tree
was invented). They named 266 more wrong statements that only the source code shows. In the last one
they named 30, 6 and 45, of which 7, 1 and 8 are found now, 6, 0 and 4 before the fixes for them. In
20 files of the row with 813 files they named 51 dead paths, 15 wrong commands, packages and
versions, and 8 contradictions: 17, 5 and 1 were found, 38, 7 and 1 with the fixes for them. In 40
files of the row with 908 files they named 40, 20 and 12: 16, 5 and 0 were found, 24, 11 and 0 with
the fixes for them. In 37 files of the row with 485 files, 25 of them read by somebody who had seen
the findings, they named 30, 14 and 6: 13, 4 and 0 were found, 21, 10 and 0 with the fixes for them.
Not found are contradictions that need an understanding of the text, names of
classes, sections and tasks without a path, commands whose options or programs do not exist,
invented trees of which little exists, paths that git never had in the middle of a sentence, and
names that a file in another folder has too. So about a third of the dead paths that a careful
reader finds are reported, and few of the other faults.

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
