"""AM502: a link or an import of a file, folder or heading that does not exist."""

from __future__ import annotations

import os
import posixpath
import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Edit, Fix, Role, Severity
from agent_memory.base.text import Span
from agent_memory.base.text_cache import TextCache
from agent_memory.l10n import t
from agent_memory.lint.rule import MEMORY_ROLES, FileRule, Hit
from agent_memory.lint.rules.file_too_large import is_template
from agent_memory.lint.shared.anchors import has_anchor
from agent_memory.lint.shared.imports import missing_imports
from agent_memory.lint.shared.paths.history import past_of, past_of_folder
from agent_memory.lint.shared.paths.missing import moved_file
from agent_memory.lint.shared.paths.similar_files import Similar, from_template, similar
from agent_memory.lint.shared.surroundings import precedes_fence
from agent_memory.lint.shared.word_lists import word_list

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project
    from agent_memory.lint.shared.paths.history import Past
    from agent_memory.markdown.references import Reference

_FILE = lazy_compile(r"[\w./@+ \[\]-]*[\w-]\.[A-Za-z][A-Za-z0-9]{0,9}\Z")
"""The form of a file: with an extension."""
_FOLDER = lazy_compile(r"(?:[\w.@+-]+/){2,}\Z")
"""Two folders or more, with a slash at the end; one may be an address."""
_INVENTED = lazy_compile(
    r"(?:^|/)(?:path|url|link|file|filename|foo|bar|example|ファイル名|文件名|your[-_]|my[-_]|some[-_]|xxx)|\.\.\."
    r"|(?:^|[/_-])(?-i:NN+|XX+|YYYY)(?=[._-]|\Z)",
    re.IGNORECASE,
)
"""Part of a path that is a placeholder."""
_HEDGES = ("link_hedges", "example_words")
"""Word lists: with one of these words in its sentence, a link need not lead to a file."""
_HOST = lazy_compile(r"(?:www\.|[\w-]+\.(?:com|org|net|io|dev|ai|app)(?:/|\Z))", re.IGNORECASE)
"""The start of an address without a scheme: ``www.``, ``example.com/``."""
_OTHER_TARGET = lazy_compile(r"\]\([^()\s][^()]*\)")
"""The target of another link. Its words say nothing about this one."""
_LABEL = lazy_compile(r"\W*(?:\w+\W+)?\[[^\]]*\]\(\s*\)\W*\Z")
"""A line with a link and at most a word before it."""
_CURSOR = "mdc:"
"""The scheme of a link of Cursor's, whose path is one from the root."""
_ON_DISK = lazy_compile(r"/(?:Users|home|root|tmp|opt|usr|var|etc|mnt|Volumes)/")
"""The start of a path of one machine, which is not one from the root of the project."""
_ENOUGH = 2
"""Existing links with a leading slash that show that those of a file start at the root."""
_PAGES = (".md", ".mdx", ".html")
"""The endings of a file that a site shows at the address of a folder."""


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report links and imports of missing files, and links to a missing heading of a file.

    A link is also right if its path exists from the root of the project.
    """
    base = project.folder_from_root(file.path)
    if base is None or is_template(file.path, project):
        return  # user memory, or a text for projects that are created from it
    yield from _imports(file, project, base)
    bases = _bases(file, project, base) if file.link_references else ()
    for reference in file.link_references:
        target, anchor = _target_and_anchor(reference.path)
        is_cursor = reference.path.startswith(_CURSOR)
        if _is_hedged(reference.text):
            continue
        if _LABEL.match(reference.text) and precedes_fence(file, reference.span.line):
            continue  # the content of a file to write
        # A link with only an anchor (`#usage`) leads to the file itself.
        existing = _from_any(project, bases, target) if target else file.path.name
        if existing:
            yield from _anchor(file, project, reference, base, existing, anchor)
        elif inside := _with_fewer_steps(project, base, target):
            # The fix writes `inside`; it is the cause too, so equal ones are shown as one finding.
            yield _replaced(file, reference, base, _resolved(base, target), inside, inside)
        elif _is_missed(file, project, base, target, is_cursor=is_cursor):
            yield _hit(file, project, reference, base, target)


def _target_and_anchor(written: str) -> tuple[str, str]:
    """Return (target, anchor) of the path of a link as it is ``written``; each may be ''.

    The target is decoded and has no query. That of Cursor's links gets a leading slash.
    """
    path, _, anchor = written.partition("#")
    target = unquote(path.partition("?")[0])
    if target.startswith(_CURSOR):
        target = "/" + target.removeprefix(_CURSOR).lstrip("/")
    return target, anchor


@TextCache
def _is_hedged(sentence: str) -> bool:
    """Return whether a word of ``sentence`` says that its link need not lead to a file."""
    words = _OTHER_TARGET.sub("](x)", sentence)
    return any(word_list(name).search(words) for name in _HEDGES)


def _imports(file: MemoryFile, project: Project, base: str) -> Iterator[Hit]:
    """Report imports of files that do not exist."""
    for link, path, sentence, agent in missing_imports(file, project, base):
        if any(word_list(name).search(sentence) for name in _HEDGES) or _INVENTED.search(path):
            continue  # an example
        message = t(
            "{0} imports nothing here: {1} does not exist\nCorrect the path, or remove the import.",
            agent,
            path,
        )
        yield Hit(Span.on_line(link.line, link.start, link.end), message, data={"cause": path})


def _resolved(base: str, target: str) -> str:
    """Return the path of ``target`` from the root; a leading slash stands for the root."""
    return posixpath.normpath(
        target[1:] if target.startswith("/") else posixpath.join(base, target)
    )


def _meant_place(project: Project, base: str, target: str) -> str:
    """Return the path, from the root, of the file or folder that the missing ``target`` means.

    A link without a leading slash starts at ``base``, the folder of the file. It starts at the root
    if git deleted the file there and does not ignore it; not if ``target`` begins with a period or
    has no folder.
    """
    tree, from_root = project.tree, posixpath.normpath(target)
    was_below_root = "/" in target and target[0] != "." and from_root in tree.deleted.files
    if was_below_root and not tree.ignored.covers(from_root):
        return from_root
    return _resolved(base, target)


def _bases(file: MemoryFile, project: Project, base: str) -> tuple[str, ...]:
    """Return the folders that links start from, relative to the root: ``base``, that of the file.

    If ``file`` is reached through a symlink, also the folder of the real file, which the text is
    written for, unless it is outside of the project.
    """
    root, folder = project.tree.root.resolve(), file.path.resolve().parent
    if not folder.is_relative_to(root):
        return (base,)
    return tuple(dict.fromkeys((base, folder.relative_to(root).as_posix())))


def _from_any(project: Project, bases: Sequence[str], target: str) -> str | None:
    """Return the path of the existing ``target``, relative to the first of ``bases``.

    ``target`` is looked up from each of ``bases``, without the ``@`` of an import at its start.
    None if it does not exist.
    """
    for base in bases:
        existing = _existing(project, base, target.lstrip("@"))
        if existing is not None:
            return posixpath.relpath(posixpath.join(base, existing), bases[0])
    return None


def _existing(project: Project, base: str, target: str) -> str | None:
    """Return the path of the existing ``target``, relative to ``base``, the folder of the file.

    ``target`` is looked up from that folder, then from the root, from which many people write
    links. None if it does not exist, or if from that folder it leads out of the project or to the
    root itself.
    """
    resolved, from_root = _resolved(base, target), posixpath.normpath(target)
    if resolved.startswith("..") or resolved == ".":
        return None
    if project.tree.has(resolved):
        return posixpath.relpath(resolved, base)
    if not from_root.startswith("/") and project.tree.has(from_root):
        return posixpath.relpath(from_root, base)
    return None


def _is_missed(
    file: MemoryFile, project: Project, base: str, target: str, *, is_cursor: bool
) -> bool:
    """Return whether the missing ``target`` should exist; ``is_cursor``: of a link of Cursor's."""
    if is_cursor and _is_end_of_deleted_folder(project, target):
        return True
    return _is_checked(file, project, base, target) and not _has_template(file, project, target)


def _is_end_of_deleted_folder(project: Project, target: str) -> bool:
    """Return whether git deleted a folder that ends with ``target``, of a link of Cursor's.

    Such a link leads to a file or folder of the project and is no address. It may have been written
    in a project whose packages were at the root.
    """
    path = posixpath.normpath(target.lstrip("/"))
    is_folder = target.endswith("/") and not _is_ignored(project, path, target)
    return is_folder and past_of_folder(project.tree, path) is not None


def _is_checked(file: MemoryFile, project: Project, base: str, target: str) -> bool:
    """Return whether the missing ``target`` is a file or folder that should be in the project.

    That is so for one that git deleted or moved. Any other must be below the root and have the form
    of a file or a folder rather than that of an address or a placeholder; the folder above a folder
    must exist. False for all that git ignores.
    """
    resolved, tree = _meant_place(project, base, target), project.tree
    is_ignored = _is_ignored(project, resolved, target)
    if past_of(tree, resolved, "."):
        return not is_ignored
    if resolved.startswith("..") or resolved == "." or is_ignored:
        return False
    if _HOST.match(target) or _INVENTED.search(target):
        return False
    if target.startswith("/") and not _is_from_root(file, project, target):
        return False
    if _FOLDER.match(target):
        is_page = any(tree.has(resolved + suffix) for suffix in _PAGES)  # of a site
        return not is_page and tree.has(posixpath.dirname(resolved))
    is_built = target.endswith((".html", ".htm"))  # a page of a site
    return bool(_FILE.match(target)) and not is_built


def _is_from_root(file: MemoryFile, project: Project, target: str) -> bool:
    """Return whether the leading slash of the missing ``target`` stands for the root.

    It does if the first folder of ``target`` exists at the root, or if other links of ``file`` show
    it (:func:`_starts_at_root`). Otherwise, ``target`` is an address of a site or a path of the
    machine, as is one that exists there. A name without a folder is an address, too.
    """
    first_folder, slash, _ = target[1:].partition("/")
    if not slash or os.path.exists(target):  # noqa: PTH110 -- Path.exists may raise
        return False
    if project.tree.has(first_folder):
        return True
    return not _ON_DISK.match(target) and file.memo.once(_starts_at_root, file, project)


def _starts_at_root(file: MemoryFile, project: Project) -> bool:
    """Return whether at least :data:`_ENOUGH` links of ``file`` lead to files from the root.

    They are links with a leading slash and a period, to different files.
    """
    written = {link.path.partition("#")[0] for link in file.link_references}
    from_root = (path[1:] for path in written if path.startswith("/") and "." in path)
    return sum(map(project.tree.has, from_root)) >= _ENOUGH


def _is_ignored(project: Project, resolved: str, target: str) -> bool:
    """Return whether git ignores ``resolved``, the path of ``target`` from the root.

    A ``target`` with a slash at its end is a folder: `shots/` in a .gitignore ignores only folders.
    """
    # `covers` takes the path of a file, so a folder is looked up by a file in it.
    return project.tree.ignored.covers(f"{resolved}/x" if target.endswith("/") else resolved)


def _with_fewer_steps(project: Project, base: str, target: str) -> str:
    """Return the path that a link out of the project leads to with one ``../`` less.

    Such as ``docs/a.md`` for ``../../docs/a.md`` in a file of ``web``. '' if that does not exist,
    if the link is right or does not lead out, and in a file at the root, where a link leads out on
    purpose: to the project that this one is a part of.
    """
    resolved, tree = _resolved(base, target), project.tree
    inside = resolved.removeprefix("../")
    leads_out = inside != resolved
    if base == "." or not leads_out or inside.startswith(".."):  # "..": two steps too many
        return ""
    return inside if tree.has(inside) and not tree.has(resolved) else ""


def _at_other_depths(project: Project, base: str, target: str) -> list[str]:
    """Return the existing paths that the missing ``target`` means with more or fewer ``../``.

    Such as ``docs/a.md`` for ``../docs/a.md`` in a file of ``web/app``. They are paths from the
    root. Empty for a ``target`` with a leading slash, which has no depth.
    """
    parts = posixpath.normpath(target).split("/")
    below = "/".join(part for part in parts if part != "..")
    if target.startswith("/") or below in ("", "."):
        return []
    candidates = (posixpath.normpath(f"{folder}/{below}") for folder in _folder_and_parents(base))
    return [path for path in candidates if project.tree.has(path)]


def _folder_and_parents(folder: str) -> Iterator[str]:
    """Yield ``folder`` and the folders above it; the last one is the root, ``.``."""
    while folder not in ("", "."):
        yield folder
        folder = posixpath.dirname(folder)
    yield "."


def _has_template(file: MemoryFile, project: Project, target: str) -> bool:
    """Return whether the project has a template from which ``target`` is created.

    False for a skill, which links to files of its own folder.
    """
    listing = project.tree.listing if file.source.role is not Role.SKILL else None
    return listing is not None and from_template(listing, target)


def _hit(file: MemoryFile, project: Project, reference: Reference, base: str, target: str) -> Hit:
    """Return the report of a link to the missing ``target``.

    It has a fix if git moved the file, or if the path that :func:`_meant` returns is certain and no
    other link of the line leads to it.
    """
    resolved = _meant_place(project, base, target)
    # The same link in a copy of a skill for another agent has the same cause.
    skill = file.source.role is Role.SKILL
    cause = f"{file.path.parent.name}: {target}" if skill else resolved
    past = past_of(project.tree, resolved, ".")
    moved = moved_file(past)
    meant = moved or _meant(file, project, base, target)
    is_meant = meant and meant.certain and not _is_linked_too(file, reference, base, meant)
    if meant and (moved or is_meant):
        return _replaced(file, reference, base, resolved, meant.path, cause)
    return Hit(reference.span, _message(resolved, past), data={"cause": cause})


def _meant(file: MemoryFile, project: Project, base: str, target: str) -> Similar | None:
    """Return the existing path that the link to the missing ``target`` probably means.

    It is the one that the link leads to with another number of ``../``, else one with a similar
    name. None if neither exists, if several exist with another number of ``../``, or if one of
    these is ``file`` itself.
    """
    at_other_depths, listing = _at_other_depths(project, base, target), project.tree.listing
    own = posixpath.normpath(posixpath.join(base, file.path.name))
    if own in at_other_depths or len(at_other_depths) > 1:
        return None  # of several, any may be meant
    if at_other_depths:
        return Similar(at_other_depths[0], certain=True)
    return similar(listing, _resolved(base, target)) if listing else None


def _is_linked_too(file: MemoryFile, reference: Reference, base: str, near: Similar) -> bool:
    """Return whether another link on the line of ``reference`` leads to the file ``near``.

    The missing target is then another file, unless the two differ in letter case only. A link of
    Cursor's, or another one, may start at the root.
    """
    if near.path.casefold() == _resolved(base, reference.path).casefold():
        return False
    targets = (
        link.path.partition("#")[0].removeprefix(_CURSOR)
        for link in file.link_references
        if link.span.line == reference.span.line and link.span != reference.span
    )
    return any(near.path in (_resolved(base, each), posixpath.normpath(each)) for each in targets)


def _replaced(
    file: MemoryFile, reference: Reference, base: str, missing: str, path: str, cause: str
) -> Hit:
    """Return the report of the link to ``missing``, with a fix that makes it lead to ``path``.

    Both paths are from the root. Findings with the same ``cause`` are shown as one. The fix keeps
    the anchor, and the form of a link of Cursor's, whose path is from the root.
    """
    is_of_cursor = reference.path.startswith(_CURSOR)
    new_path = _CURSOR + path if is_of_cursor else posixpath.relpath(path, base)
    _, hash_sign, anchor = reference.path.partition("#")
    new = new_path + hash_sign + anchor
    fix = Fix(t("Replace with {0}", new), (Edit(file.path, reference.span, new),), safe=False)
    message = t("Broken link: {0} does not exist\nDid you mean {1}?", missing, path)
    return Hit(reference.span, message, (fix,), data={"cause": cause})


def _message(resolved: str, past: Past | None) -> str:
    """Return the message about a link to the missing ``resolved``, if no other path is certain."""
    if past:
        return t(
            "Broken link: {0} was deleted in commit {1}\nCorrect the path, or remove the link.",
            resolved,
            past.commit,
        )
    return t("Broken link: {0} does not exist\nCorrect the path, or remove the link.", resolved)


def _anchor(
    file: MemoryFile, project: Project, reference: Reference, base: str, existing: str, anchor: str
) -> Iterator[Hit]:
    """Report a link to a heading that the file ``existing`` does not have.

    ``existing`` is relative to ``base``. Headings are only known of a Markdown file that can be
    read; an empty one is still to be written.
    """
    if not anchor or not existing.endswith(".md") or "://" in reference.path:
        return  # no anchor, not a Markdown file, or a URL
    path = posixpath.normpath(posixpath.join(base, existing))
    target = project.tree.root / path
    content = file.content if target == file.path else project.ctx.store.read(target)
    if content.ok and content.text and not has_anchor(content, anchor):
        yield Hit(
            reference.span,
            t(
                "Broken link: {0} has no heading for #{1}\nCorrect the heading, or remove it.",
                path,
                anchor,
            ),
            severity=Severity.INFO,
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
