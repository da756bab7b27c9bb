"""The finding about a path that does not exist: what git says of it, and a replacement."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.model import Edit, Fix, Related
from agent_memory.base.text import Span
from agent_memory.l10n import t
from agent_memory.lint.rule import Hit
from agent_memory.lint.shared.paths.similar_files import Similar

if TYPE_CHECKING:
    from agent_memory.base.model import Severity
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.shared.paths.history import Past
    from agent_memory.lint.shared.paths.lookup import PathLookup
    from agent_memory.markdown.references import Reference


class Missing(NamedTuple):
    """A path that does not exist, an existing file that it may mean, and its deletion by git.

    ``similar_file`` is None if no file has a similar name, ``past`` if git did not delete the path.
    """

    reference: Reference
    similar_file: Similar | None
    past: Past | None


def missing_hit(
    file: MemoryFile, lookup: PathLookup, missing: Missing, severity: Severity | None
) -> Hit:
    """Return the report of ``missing`` in ``file``; ``severity`` None: that of the rule.

    Its fix replaces the path with that of the file that the text probably means: the one that git
    moved, else the similar one. Without such a file, the report has no fix.
    """
    reference, past = missing.reference, missing.past
    meant = moved_file(past) or missing.similar_file
    message = missing_message(reference.path, meant, past)
    if meant is None:
        return Hit(reference.span, message, severity=severity)
    line, start = file.lines[reference.span.line], reference.span.start
    is_from_root = line[:start].endswith("/")  # then the path of the text has a slash before it
    new = meant.path if is_from_root else _as_written(meant.path, missing, lookup)
    edit = Edit(file.path, reference.span, new)
    fix = Fix(t("Replace with {0}", new), (edit,), safe=False, certain=meant.certain)
    related = Related(lookup.tree.root / meant.path, Span(0, 0, 0, 0), t("Existing file"))
    return Hit(reference.span, message, (fix,), (related,), severity)


def _as_written(path: str, missing: Missing, lookup: PathLookup) -> str:
    """Return the existing ``path`` in the form in which the text writes the missing one.

    - A name without a folder is replaced with a name. If the names are equal, the file is in
      another folder: then with the path from the root.
    - A path from the folder of the memory file is replaced with a path from that folder, except if
      this needs a new ``../``.
    - Any other path is replaced with the path from the root.
    """
    written = missing.reference.path
    name = posixpath.basename(path)
    if "/" not in written:
        return name if name != written else path
    if not _begins_at_file(written, missing.past, lookup):
        return path
    relative = posixpath.relpath(path, lookup.base)
    if relative.startswith("../"):
        return relative if written.startswith("../") else path
    return f"./{relative}" if written.startswith("./") else relative


def _begins_at_file(written: str, past: Past | None, lookup: PathLookup) -> bool:
    """Return whether the missing path begins in the folder of the memory file, not at the root.

    It does if it begins with ``./`` or ``../``, or if git deleted it there. If git did not delete
    it, its first folder must exist there and not at the root.
    """
    if written.startswith(("./", "../")):
        return True
    from_file = posixpath.normpath(posixpath.join(lookup.base, written))
    if past:
        return past.path == from_file
    top = written.partition("/")[0]
    return lookup.tree.has(posixpath.join(lookup.base, top)) and not lookup.tree.has(top)


def moved_file(past: Past | None) -> Similar | None:
    """Return the file that git moved the missing one to; certain if more than its name is equal.

    None if git did not delete the missing file (``past`` is None), or did not move it.
    """
    if past is None or past.moved_to is None:
        return None
    return Similar(past.moved_to, certain=past.is_exact)


def missing_message(path: str, meant: Similar | None, past: Past | None) -> str:
    """Return the message about the missing ``path``: the fact, then what to do.

    ``meant`` is the existing file that the text probably means, None without one. If git moved the
    file, the message has the new path from ``past``.
    """
    if past and past.moved_to and not past.is_exact:
        return t(
            "{0} was deleted in commit {1}\n{2} now has this name. Correct the path, or remove it.",
            *(path, past.commit, past.moved_to),
        )
    if past and past.moved_to:
        return t(
            "{0} was moved to {1} (commit {2})\nCorrect the path.", path, past.moved_to, past.commit
        )
    if past and meant is None:
        return t(
            "{0} was deleted in commit {1}\nCorrect the path, or remove it.", path, past.commit
        )
    if past and meant:
        return t("{0} was deleted in commit {1}\nDid you mean {2}?", path, past.commit, meant.path)
    if meant is None:
        return t("{0} does not exist in this project\nCorrect the path, or remove it.", path)
    return t("{0} does not exist in this project\nDid you mean {1}?", path, meant.path)
