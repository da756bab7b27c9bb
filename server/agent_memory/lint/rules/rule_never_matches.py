"""AM135: a conditional rule whose patterns match no file of the project.

A rule is here a file of an agent's rules, and its condition is a list of patterns: the agent gets
the rule when it reads a matching file. Without one, it never does (measured in Claude Code 2.1.330:
patterns are relative to the folder that holds the rules, and match as in .gitignore).
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Severity
from agent_memory.l10n import t
from agent_memory.lint.rule import Hit, ProjectRule
from agent_memory.runtimes.path_patterns import matches

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from agent_memory.base.text import Span
    from agent_memory.lint.project import Project

_TEXTS = frozenset({"", ".md", ".mdx", ".txt"})
"""The endings of files with text that is not code."""
_NESTED = lazy_compile(r"\{[^}]*(?:[{/]|\Z)")
"""Braces in braces, around a folder or cut in two, which agents read in different ways."""
_OF_TYPE = lazy_compile(r"(?:\*\*/)?\*\.(?:\w+|\{[\w,. ]+\})\Z")
"""A pattern that names only a type of file: ``**/*.rs``, ``*.{ts,tsx}``."""


def check(project: Project) -> Iterator[Hit]:
    """Report each conditional rule that no file of the project matches.

    Rules that may be for other projects, for files that come later, or for files that git ignores
    are skipped. The severity is that of the rule if a file matched that git deleted, else
    information.
    """
    if _has_only_texts(project):
        return  # the rules are for the projects that they are copied to
    for source in project.sources:
        condition = project.choice.runtime.patterns(project.ctx, source)
        if condition is None:
            continue  # not a conditional rule of the project
        folder, patterns = condition
        if _may_match_elsewhere(project, patterns) or not _is_meant(project, folder, patterns):
            continue
        if not _matches_any(project, folder, patterns):
            yield Hit(
                _place(project, source.path, patterns),
                t(
                    "{2} never adds this rule: no file matches {1}\n"
                    "There is no such file below {0}. Correct the pattern, or delete the rule.",
                    _shown(project, folder),
                    ", ".join(patterns),
                    t(project.choice.runtime.title),
                ),
                path=source.path,
                severity=None if _had_match(project, folder, patterns) else Severity.INFO,
            )


def _may_match_elsewhere(project: Project, patterns: Sequence[str]) -> bool:
    """Return whether the patterns may match in another agent, project or checkout."""
    if any(map(_NESTED.search, patterns)):
        return True  # agents differ in what they match
    if all(map(_OF_TYPE.match, patterns)):
        return True  # a rule about a language, which several projects share
    if any(project.tree.root.name in pattern.split("/") for pattern in patterns):
        return True  # for agents that match absolute paths, which have the root's name
    return _is_ignored(project, patterns)


def _shown(project: Project, folder: Path) -> str:
    """Return ``folder`` for display: its path, or its name if it is the root."""
    shown = project.shown(folder)
    return folder.name if shown in ("", ".") else shown


def _has_only_texts(project: Project) -> bool:
    """Return whether the project consists of texts, apart from what is hidden at its root.

    A file without an ending counts as a text. False if there are too many files to list.
    """
    listing = project.tree.listing
    return listing is not None and all(
        path.startswith(".") or posixpath.splitext(path)[1] in _TEXTS for path in listing.files
    )


def _is_meant(project: Project, folder: Path, patterns: Sequence[str]) -> bool:
    """Return whether the project has what a pattern is about, so that the pattern is wrong.

    It has the first part of a pattern in ``folder``, or a file or folder anywhere that matches the
    last part. Otherwise the rule may be written for files that come later, as in a language of
    which there is no file yet. False for patterns with a hidden folder.
    """
    listing, root = project.tree.listing, project.tree.root
    if listing is None or not folder.is_relative_to(root):
        return False  # too many files to list, or the rule is about a folder outside of the project
    if any("/." in f"/{pattern}" for pattern in patterns):
        return False  # tools create their hidden folders, such as one for notes
    for pattern in patterns:
        first = folder.relative_to(root) / pattern.partition("/")[0]
        last = _last_part(pattern)
        if project.tree.has(first.as_posix()):
            return True
        if any(matches((last,), name) for name in listing.by_name):
            return True
    return False


def _last_part(pattern: str) -> str:
    """Return the last part of ``pattern`` that is not only asterisks: ``api`` of ``api/**``.

    A pattern of asterisks alone is returned as it is.
    """
    parts = [part for part in pattern.split("/") if part.strip("*")]
    return parts[-1] if parts else pattern


def _is_ignored(project: Project, patterns: Sequence[str]) -> bool:
    """Return whether git ignores the first folder of a pattern: other machines may have it.

    Also True for a submodule, which may not be checked out here.
    """
    folders = {pattern.partition("/")[0] for pattern in patterns if "/" in pattern}
    ignored = project.tree.ignored
    # `covers` takes the path of a file: `build/` in a .gitignore covers `build/x`.
    return any(name in ignored.submodules or ignored.covers(f"{name}/x") for name in folders)


def _matches_any(project: Project, folder: Path, patterns: Sequence[str]) -> bool:
    """Return whether a file below ``folder`` matches one of ``patterns``, relative to it.

    True if that is unknown, because the project has too many files to list. The result is cached
    with the listing.
    """
    listing, root = project.tree.listing, project.tree.root
    if listing is None:
        return True
    base = folder.relative_to(root).as_posix()
    prefix = "" if base == "." else f"{base}/"
    key = (prefix, *patterns)
    if key not in listing.matched:
        below = (path.removeprefix(prefix) for path in listing.files if path.startswith(prefix))
        listing.matched[key] = any(matches(patterns, path) for path in below)
    return listing.matched[key]


def _had_match(project: Project, folder: Path, patterns: Sequence[str]) -> bool:
    """Return whether a file matched that git deleted or moved: then the rule is outdated."""
    base = folder.relative_to(project.tree.root).as_posix()
    prefix = "" if base == "." else f"{base}/"
    deleted = (path for path in project.tree.deleted.files if path.startswith(prefix))
    return any(matches(patterns, path.removeprefix(prefix)) for path in deleted)


def _place(project: Project, path: Path, patterns: Sequence[str]) -> Span:
    """Return the span of the first line with the first pattern; else of the first line.

    ``path`` is the file of the rule.
    """
    file = project.files[path]
    lines = (number for number, line in enumerate(file.lines) if patterns[0] in line)
    return file.line_span(next(lines, 0))


RULE = ProjectRule(
    "AM135",
    "rule-never-matches",
    Severity.WARNING,
    "A conditional rule that no file matches",
    check=check,
    per_runtime=True,
    varies=True,
)
