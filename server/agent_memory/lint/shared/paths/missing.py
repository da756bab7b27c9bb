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
    """A path that does not exist: a file with a similar name, and what git says of it.

    ``near`` is None without a similar file, ``past`` if git did not delete the path.
    """

    reference: Reference
    near: Similar | None
    past: Past | None


def missing_hit(
    file: MemoryFile, place: PathLookup, missing: Missing, severity: Severity | None
) -> Hit:
    """Return the report of ``missing`` in ``file``; ``severity`` None: that of the rule.

    Its fix writes the path of the file that the text probably means: where git moved it, else the
    similar one. The report has no fix without such a file.
    """
    reference, past = missing.reference, missing.past
    near = new_place(past) or missing.near
    message = missing_message(reference.path, near, past)
    if near is None:
        return Hit(reference.span, message, severity=severity)
    new = _as_written(near.path, missing, place)
    edit = Edit(file.path, reference.span, new)
    fix = Fix(t("Replace with {0}", new), (edit,), safe=False, certain=near.certain)
    related = Related(place.tree.root / near.path, Span(0, 0, 0, 0), t("Existing file"))
    return Hit(reference.span, message, (fix,), (related,), severity)


def _as_written(path: str, missing: Missing, place: PathLookup) -> str:
    """Return the existing ``path`` as the text writes paths, to replace the missing one.

    A text that gives only the name of a file gets only a name, unless the name is the same: then
    the file is in another folder, and the text gets its path. A path that began in the folder of
    the memory file begins there again. If ``path`` is not in that folder, this needs a ``../``,
    which only a path gets that was written with one.
    """
    written = missing.reference.path
    name = posixpath.basename(path)
    if "/" not in written:
        return name if name != written else path
    if not _begins_at_file(written, missing.past, place):
        return path
    relative = posixpath.relpath(path, place.base)
    if relative.startswith("../"):
        return relative if written.startswith("../") else path
    return f"./{relative}" if written.startswith("./") else relative


def _begins_at_file(written: str, past: Past | None, place: PathLookup) -> bool:
    """Return whether the missing path begins in the folder of the memory file, not at the root.

    It does if it says so (``./``, ``../``) or if git deleted it there. Of a path that git did not
    delete, its first folder must be only there.
    """
    if written.startswith(("./", "../")):
        return True
    from_file = posixpath.normpath(posixpath.join(place.base, written))
    if past:
        return past.path == from_file
    top = written.partition("/")[0]
    return place.tree.has(posixpath.join(place.base, top)) and not place.tree.has(top)


def new_place(past: Past | None) -> Similar | None:
    """Return where the file was moved to, which is certain if its content is the same.

    None if git did not delete it (``past`` None) or did not move it.
    """
    return Similar(past.moved_to, certain=past.is_exact) if past and past.moved_to else None


def missing_message(path: str, near: Similar | None, past: Past | None) -> str:
    """Return the message about the missing ``path``: the fact, then what to do."""
    if past and past.moved_to and not past.is_exact:
        return t(
            "{0} was deleted in commit {1}\n{2} now has this name. Correct the path, or remove it.",
            *(path, past.commit, past.moved_to),
        )
    if past and past.moved_to:
        return t(
            "{0} was moved to {1} (commit {2})\nCorrect the path.", path, past.moved_to, past.commit
        )
    if past and near is None:
        return t(
            "{0} was deleted in commit {1}\nCorrect the path, or remove it.", path, past.commit
        )
    if past and near:
        return t("{0} was deleted in commit {1}\nDid you mean {2}?", path, past.commit, near.path)
    if near is None:
        return t("{0} does not exist in this project\nCorrect the path, or remove it.", path)
    return t("{0} does not exist in this project\nDid you mean {1}?", path, near.path)
