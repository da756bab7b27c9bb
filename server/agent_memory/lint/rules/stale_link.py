"""AM502: a relative link to a file that does not exist."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Role, Severity
from agent_memory.l10n import t
from agent_memory.lint.rule import MEMORY_ROLES, FileRule, Hit
from agent_memory.lint.shared.word_lists import word_list

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_FILE = lazy_compile(r"[\w./@+ -]*[\w-]\.[A-Za-z][A-Za-z0-9]{0,9}\Z")
_INVENTED = lazy_compile(
    r"(?:^|/)(?:path|url|link|file|filename|foo|bar|example|your[-_]|my[-_]|some[-_]|xxx)|\.\.\.",
    re.IGNORECASE,
)
_HEDGES = ("link_hedges", "example_words")
"""Word lists: with one of these words in its sentence, a link need not lead to a file."""
_HOST = lazy_compile(r"(?:www\.|[\w-]+\.(?:com|org|net|io|dev|ai|app)(?:/|\Z))", re.IGNORECASE)


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report links to files that exist neither next to the file nor at the project's root."""
    base = project.below_root(file.path)
    if base is None:
        return
    tree = project.tree
    for reference in file.link_references:
        target = unquote(re.split(r"[#?]", reference.path, maxsplit=1)[0])
        if not _FILE.match(target) or target.startswith("/") or _HOST.match(target):
            continue
        if _INVENTED.search(target) or target.endswith((".html", ".htm")):
            continue  # pages of a site are generated
        if any(word_list(name).search(reference.text) for name in _HEDGES):
            continue
        resolved = posixpath.normpath(posixpath.join(base, target))
        if resolved.startswith("..") or tree.has(resolved) or tree.has(posixpath.normpath(target)):
            continue
        if tree.ignored.covers(resolved):
            continue
        yield Hit(
            reference.span,
            t(
                "Broken link: {0} does not exist. Correct the path, or remove the link",
                resolved,
            ),
        )


RULE = FileRule(
    "AM502",
    "stale-link",
    Severity.WARNING,
    "A link to a file that does not exist",
    check=check,
    roles=MEMORY_ROLES | {Role.SKILL},
    varies=True,
)
