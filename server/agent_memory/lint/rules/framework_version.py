"""AM507: a version of a framework that is not the one in the manifest of the project."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Edit, Fix, Severity
from agent_memory.base.text import Span
from agent_memory.l10n import t
from agent_memory.lint.rule import MEMORY_ROLES, FileRule, Hit
from agent_memory.lint.shared.framework_names import WORDS
from agent_memory.lint.shared.framework_versions import Declared, Named, declared, named_frameworks
from agent_memory.lint.shared.own_memory import is_own_memory
from agent_memory.lint.shared.placed_text import Placed, folder_of_line, tree_notes
from agent_memory.lint.shared.task_prompts import is_task_prompt
from agent_memory.lint.shared.version_tables import labeled_versions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project
    from agent_memory.lint.shared.manifest_ranges import Range

_HEDGED = lazy_compile(
    r"\b(?:not|never|no|drop\w*|legacy|deprecated|until|before|was|were|below|older|instead"
    r"|example|e\.g|incompatible|compatib\w+|migrat\w+|upgrad\w+|from|since|vs|if|when|projects?"
    r"|plugin|breaking|introduced|removed|will|planned|or)\b|n't\b|→|->"
    r"|から|より|まで|以[上下前降]|未満|移行|廃止|ではなく|アップグレード"
    r"|升级|迁移|兼容|之前|不再|이상|이하|이전|미만|에서|부터|마이그레이션|업그레이드"
)
"""Words that say that the version is another one than that of the project."""
_LEFT = lazy_compile(r"\b(?:(?:upgrad|migrat|mov|port|updat)\w* (?:[\w-]+ ){0,4}?from|not) \W*\Z")
"""What a line says before a version that the project has left: ``upgraded from``, ``not``."""
_LEFT_MAX = 100
"""Characters before the framework that are searched for it."""
_KEPT = lazy_compile(
    r"\W+(?:[a-z]+ )?"
    r"(?:structure|layout|skeleton|style|conventions?|syntax|spelling|idioms?)\b"
)
"""What a project can keep of a version after it has left it: ``Laravel 10 structure``."""
_MINOR = 2
"""Numbers of a version that has a minor one, but no patch."""
_BETWEEN = " · "
"""What separates the entries of a list on one line: ``Echo v5 · Cobra v1 (no config)``."""
_LINE_MAX = 300
"""Characters. A longer line is prose about more than the framework."""


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report versions of frameworks that the project does not use, in its own memory."""
    base = project.folder_from_root(file.path)
    if base is None or not is_own_memory(file, base) or is_task_prompt(file):
        return  # user memory, or a text that may be about other projects
    examples = file.example_lines
    for number, _ in named_frameworks.found_in(file.lines):  # the lines that name one
        if number not in examples and file.markdown.is_prose(number):
            placed = Placed(number, start=0, text=file.lines[number], folder="")
            yield from _hits(placed, file, project)
    for number, named in labeled_versions(file):
        if number not in examples:
            placed = Placed(number, start=0, text=file.lines[number], folder="")
            yield from _hits(placed, file, project, only=named)
    for note in tree_notes(file, project):
        yield from _hits(note, file, project)


def _hits(
    placed: Placed, file: MemoryFile, project: Project, only: Named | None = None
) -> Iterator[Hit]:
    """Report the versions in the text ``placed`` that no manifest declares.

    ``only`` is the one version to check, that of a labeled row or item; None: all versions in the
    text. A framework is skipped if the text also names a version of it that fits, or one that
    cannot be checked. Versions of which the text says that they are not in use are ignored.
    """
    if len(placed.text) > _LINE_MAX:
        return
    folder = placed.folder or folder_of_line(placed.text, file, project)
    fitting: set[str] = set()
    others: list[tuple[Named, list[Declared]]] = []
    for named in (only,) if only else named_frameworks(placed.text):
        if _is_hedged(placed.text, named) or _is_kept(placed.text, named, file):
            continue
        if named.name in WORDS and len(named.version) == 1:
            continue  # "Room 2" may be a room
        declarations = declared(named.name, file, project, folder)
        if declarations and all(_is_other(named, each.range) for each in declarations):
            others.append((named, declarations))
        else:
            fitting.add(named.name)
    for named, declarations in others:
        if named.name not in fitting:  # "React 19 here, React 18 on the desktop"
            yield _hit(file, placed, named, declarations)


def _is_hedged(text: str, named: Named) -> bool:
    """Return whether the text says that ``named`` is a version which the project does not use.

    Only the entry with ``named`` counts: ``·`` separates entries, and a text without is one entry.
    """
    before = text[: named.start].rpartition(_BETWEEN)[2]
    after = text[named.start :].partition(_BETWEEN)[0]
    return bool(_HEDGED.search(f"{before}{after}".lower()))


def _is_kept(text: str, named: Named, file: MemoryFile) -> bool:
    """Return whether the project keeps only the structure or spelling of the version ``named``.

    ``text`` names the structure right after the version, and ``file`` says that the project has
    left the version (:func:`_left_versions`).
    """
    if not _KEPT.match(text[named.end :].lower()):
        return False
    return (named.name, named.version[0]) in file.content.once(_left_versions, file.lines)


def _left_versions(lines: list[str]) -> set[tuple[str, int]]:
    """Return the (framework, major version) pairs that ``lines`` say the project has left."""
    left = set()
    for number, named_ones in named_frameworks.found_in(lines):
        for named in named_ones:
            before = lines[number][: named.start].lower()
            before_name = before[: before.rfind(named.name)]  # the name is before its version
            if _LEFT.search(before_name[-_LEFT_MAX:]):
                left.add((named.name, named.version[0]))
    return left


def _is_other(named: Named, found: Range) -> bool:
    """Return whether the range ``found`` of a manifest certainly lacks the version ``named``."""
    major = named.version[0]
    if not found.majors:
        return False  # no major version was read from the range
    if major in found.majors:
        return _is_other_minor(named, found)
    if named.is_least:  # "React 18+" fits if the manifest has 18 or later
        return major > max(found.majors)
    # `fixed` is 0 for an open range such as `>=18`, which has any later version.
    return found.fixed > 0 or major < min(found.majors)


def _is_other_minor(named: Named, found: Range) -> bool:
    """Return whether a version such as 15.1 is not in a range of the same major version.

    It is older than the range, or newer in the numbers that all versions of the range share.
    """
    stated, oldest = named.version, found.oldest
    if len(stated) <= _MINOR and not any(stated[1:]):
        return False  # 15 or 15.0, which people write for any 15
    if named.is_least or not oldest:
        return False  # "15.1+", or a range without one lower bound, such as `>=15.0.3`
    is_older = stated < oldest[: len(stated)]
    shared = min(found.fixed, len(stated), len(oldest))  # `~15.1` fixes 2 numbers
    return is_older or stated[:shared] > oldest[:shared]


def _hit(file: MemoryFile, placed: Placed, named: Named, declarations: list[Declared]) -> Hit:
    """Return the hit of ``named``, with a fix if all ``declarations`` have the same majors.

    The fix writes the oldest version that the first one accepts, with as many numbers as the text
    has. Of a range in another form, such as ``^18.2.0 || ^19.0.0``, it writes the newest major.
    """
    span = Span.on_line(placed.line, placed.start + named.start, placed.start + named.end)
    found = declarations[0]
    message = t(
        "{3} has {0} {1}, not version {2}\nCorrect the version.",
        found.package,
        found.range.text,
        ".".join(map(str, named.version)),
        found.file,
    )
    if any(each.range.majors != found.range.majors for each in declarations):
        return Hit(span, message)
    oldest = found.range.oldest or (max(found.range.majors),)
    new = ".".join(map(str, oldest[: len(named.version)]))
    fix = Fix(t("Replace with {0}", new), (Edit(file.path, span, new),), safe=False)
    return Hit(span, message, (fix,))


RULE = FileRule(
    "AM507",
    "framework-version",
    Severity.INFO,
    "A version of a framework that the project does not use",
    check=check,
    roles=MEMORY_ROLES,
    varies=True,
)
