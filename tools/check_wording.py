"""Report wording that docs/style.md replaces: ``python tools/check_wording.py [PATH...]``.

Scans docstrings, comments, test names, command-line help and exception messages of Python files,
comments of scripts, the keys of the translation catalogs, the texts and comments of the
extension, Markdown pages outside of code, and the spelling of names in Python and TypeScript.
Prints ``file:line: "found" -> "suggestion"`` and exits 1 if there is a finding. Without PATH it
also reports the long subjects of new commits.
``--table`` prints the table of docs/style.md. The word list is tools/wording.toml.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from wording_texts import PROSE, Text, texts

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
EXCLUDED = re.compile(
    r"docs/style\.md|tools/wording\.toml|tests/rules/(?:secret_)?cases/|tests/unit/test_wording\.py"
    r"|examples/(?!workspace/README\.md)"
)
SUBJECT_LENGTH = 72
FIRST_CHECKED = "e8779f4a"
"""The commit after which subjects are checked if there is no tag; earlier ones are longer."""
FOLDERS = ("server/", "tools/", "tests/", "docs/", "benchmarks/", "examples/", "vscode-extension/")


@dataclass(frozen=True)
class Term:
    """A row of the word list."""

    avoid: str
    use: str
    pattern: re.Pattern[str]
    kinds: frozenset[str]
    wrong: str
    right: str
    show: bool


@dataclass(frozen=True)
class Finding:
    """An avoided wording: line number, the words found and the suggestion."""

    line: int
    found: str
    use: str


@cache
def terms() -> tuple[Term, ...]:
    """Return the rows of tools/wording.toml."""
    rows = tomllib.loads((ROOT / "tools/wording.toml").read_text("utf-8"))["term"]
    return tuple(
        Term(
            row["not"],
            row["use"],
            re.compile(row.get("pattern") or rf"\b{re.escape(row['not'])}\b", re.IGNORECASE),
            frozenset(row.get("in", PROSE)),
            row["wrong"],
            row["right"],
            row.get("show", False),
        )
        for row in rows
    )


def findings(text: Text) -> Iterator[Finding]:
    """Yield the avoided wordings of one passage; a phrase may continue on the next line."""
    joined, starts = "", []
    for number, line in text.lines:
        joined += " " if joined else ""
        starts.append((len(joined), number))
        joined += line.strip()
    for term in terms():
        if text.kind not in term.kinds:
            continue
        for match in term.pattern.finditer(joined):
            line = [number for start, number in starts if start <= match.start()][-1]
            yield Finding(line, match[0].strip(), term.use)


def files() -> list[str]:
    """Return the files of the repository that are checked by default."""
    names = _git("ls-files", "-co", "--exclude-standard", "-z").split("\0")
    return [name for name in names if name.startswith(FOLDERS) or "/" not in name]


def long_subjects() -> Iterator[str]:
    """Yield ``COMMIT: SUBJECT`` for each longer than SUBJECT_LENGTH after the newest tag.

    Merges are not checked. In a clone without a tag and without FIRST_CHECKED nothing is.
    """
    base = _git("describe", "--tags", "--abbrev=0", check=False).strip() or FIRST_CHECKED
    log = _git("log", "--no-merges", "--format=%h %s", f"{base}..HEAD", check=False)
    for line in log.splitlines():
        commit, _, subject = line.partition(" ")
        if len(subject.removeprefix("fixup! ")) > SUBJECT_LENGTH:
            yield f"{commit}: {subject}"


def _git(*args: str, check: bool = True) -> str:
    """Return what git prints in the repository; without ``check`` '' if it fails."""
    done = subprocess.run(
        ["git", "-C", str(ROOT), *args], check=check, capture_output=True, encoding="utf-8"
    )
    return done.stdout


def table() -> str:
    """Return the table of docs/style.md."""
    rows = [f"| {term.avoid} | {term.use} |" for term in terms() if term.show]
    return "\n".join(["| not | use |", "|---|---|", *rows]) + "\n"


def main(args: list[str]) -> int:
    """Check ``args``, or the whole repository; return the exit code."""
    if args == ["--table"]:
        sys.stdout.write(table())
        return 0
    names = [Path(arg).resolve().relative_to(ROOT).as_posix() for arg in args] or files()
    subjects = [] if args else list(long_subjects())
    for subject in subjects:
        print(f"{subject}: more than {SUBJECT_LENGTH} characters")
    count = len(subjects)
    for name in names:
        path = ROOT / name
        if EXCLUDED.match(name) or not path.is_file():
            continue
        try:
            source = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        found = {finding for text in texts(name, source) for finding in findings(text)}
        for finding in sorted(found, key=lambda one: (one.line, one.found)):
            print(f'{name}:{finding.line}: "{finding.found}" -> "{finding.use}"')
        count += len(found)
    print(f"wording: {count} to change" if count else "wording: clean")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
