"""Shared by the tests of rules: a project with the files of a case, and its findings as text."""

from __future__ import annotations

import shutil
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent_memory.base.text import apply_edits, split_lines
from agent_memory.config import settings, settings_merge
from agent_memory.config.context import Context
from agent_memory.lint.engine import check
from agent_memory.lint.known_names import KNOWN_NAMES
from agent_memory.lint.rules import BY_KEY

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_memory.base.model import Edit, Finding, Fix

CASES = Path(__file__).with_name("cases")


@dataclass(frozen=True)
class Case:
    """One ok or bad example of a rule: a file, or a folder with ``project`` and ``home``."""

    rule: str
    path: Path

    @property
    def kind(self) -> str:
        return self.path.name.partition("-")[0].partition(".")[0]

    @property
    def expected(self) -> Path:
        return self.path.with_name(self.path.name.removesuffix(".md") + ".txt")

    @property
    def fixed(self) -> Path:
        return self.path.with_name(self.path.name.replace("bad", "fixed", 1))

    @property
    def options(self) -> dict[str, Any]:
        file = self.path.parent / "case.toml"
        return tomllib.loads(file.read_text("utf-8")) if file.exists() else {}


def cases() -> list[Case]:
    """Return all cases, in order."""
    return [
        Case(folder.name, path)
        for folder in sorted(CASES.iterdir())
        for path in sorted(folder.iterdir())
        if path.name.startswith(("ok", "bad")) and path.suffix != ".txt"
    ]


def build(case: Case, tmp: Path) -> Context:
    """Create the files of the case below ``tmp``; return the context of the check."""
    options = case.options
    home, project = tmp / "home", tmp / "project"
    home.mkdir(parents=True)
    (project / ".git").mkdir(parents=True)
    if case.path.is_dir():
        shutil.copytree(case.path, tmp, dirs_exist_ok=True, symlinks=True)
    else:
        place = options.get("place", "project/AGENTS.md")
        (tmp / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(case.path, tmp / place)
    for name, size in options.get("sparse", {}).get(case.path.name, {}).items():
        with (tmp / name).open("wb") as stream:
            stream.truncate(size)
    runtime = "deepagentsdk" if "agent-md" in case.path.name else "deepagents-code"
    values = {"runtime": runtime, **options.get("settings", {})}
    made, problems = settings_merge.merge(settings.Settings(), values, "case.toml", KNOWN_NAMES)
    assert not problems
    return Context(home, project, settings=made, env={})


def findings(case: Case, ctx: Context) -> list[Finding]:
    """Return the findings of the case's rule; case.toml names further files to check."""
    tmp = ctx.home.parent
    more = [tmp / path for path in case.options.get("paths", [])]
    found = [*check(ctx).findings]
    found += [item for item in check(ctx, more).findings if item.path in more and item not in found]
    return [item for item in found if item.name == case.rule]


def as_text(items: Iterable[Finding], tmp: Path) -> str:
    """Return findings in the format of the golden files, sorted by file.

    The order of files can be that of the folder on disk, as agents that do not sort read them.
    """
    lines: list[str] = []
    for item in sorted(items, key=lambda item: item.path):
        span = item.span
        place = f"{item.path.relative_to(tmp).as_posix()}:{span.line + 1}:{span.start + 1}"
        end = f"{span.end_line + 1}:{span.end + 1}"
        lines.append(f"{place} to {end} {item.severity} {item.code}")
        lines.append(f"    {item.message}")
        for other in item.related:
            at = f"{other.path.relative_to(tmp).as_posix()}:{other.span.line + 1}"
            lines.append(f"    see {at} {other.message}")
        lines += [f"    {'safe' if fix.safe else 'unsafe'} fix: {fix.title}" for fix in item.fixes]
    text = "\n".join(lines) + "\n" if lines else ""
    return text.replace(str(tmp), "TMP")


def apply(items: Iterable[Finding], *, safe_only: bool) -> set[Path]:
    """Apply the first suitable fix of each finding on disk; return the changed files.

    A fix that overlaps one already taken waits for the next round, as in an editor.
    """
    edits: dict[Path, list[Edit]] = {}
    renames: list[tuple[Path, Path]] = []
    for item in items:
        fix = next((fix for fix in item.fixes if fix.safe or not safe_only), None)
        if fix and not _overlaps(fix, edits):
            renames += fix.renames
            for edit in fix.edits:
                edits.setdefault(edit.path, []).append(edit)
    for path, changes in edits.items():
        lines = split_lines(path.read_bytes().decode("utf-8"))
        text = apply_edits(lines, [(edit.span, edit.text) for edit in changes])
        path.write_bytes(text.encode("utf-8"))
    for old, new in renames:
        new.parent.mkdir(parents=True, exist_ok=True)
        old.rename(new)
    return set(edits) | {new for _, new in renames}


def _overlaps(fix: Fix, edits: dict[Path, list[Edit]]) -> bool:
    return any(
        edit.span[:2] < other.span[2:] and other.span[:2] < edit.span[2:]
        for edit in fix.edits
        for other in edits.get(edit.path, [])
    )


def code_of(rule: str) -> str:
    """Return the code of a rule's name."""
    return BY_KEY[rule].code
