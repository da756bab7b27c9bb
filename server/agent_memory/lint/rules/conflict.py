"""AM602: two statements that tell the agent to do opposite things.

Only statements that are alike word by word are compared (:mod:`agent_memory.language.imperatives`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Related, Severity
from agent_memory.l10n import t
from agent_memory.language.imperatives import Claim, claims_in, plainly
from agent_memory.language.similarity import normalised
from agent_memory.lint.rule import Hit, ProjectRule
from agent_memory.lint.rules.duplicate_across_scopes import loaded
from agent_memory.markdown.model import LineKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project
    from agent_memory.markdown.model import Item

_COUNTER = lazy_compile(
    r"\bdon['’]?t|\bdo not\b|avoid|never|\bbad\b|wrong|anti-?pattern|mistake|\bnot\b"  # noqa: RUF001
    r"|instead|incorrect|deprecat|example|legacy|\bif\b|\bwhen\b|\bor\b|option|alternativ",
    re.IGNORECASE,
)
# Headings under which a statement holds for a part of the project, or for one language.
_PART = lazy_compile(
    r"\b(?:python|typescript|javascript|[jt]sx?|node|go|golang|rust|java|kotlin|swift|ruby|php|c\+\+"
    r"|c#|css|html|sql|shell|bash|yaml|json|makefiles?|markdown|front-?end|back-?end|web|mobile|ios"
    r"|android|api|server|client|cli|docs?|documentation|tests?|e2e|legacy)\b",
    re.IGNORECASE,
)


class _Said(NamedTuple):
    """A claim where it stands; ``plain``: asked for without a word such as *always*."""

    file: MemoryFile
    item: Item
    claim: Claim
    plain: bool


def check(project: Project) -> Iterator[Hit]:
    """Report each item that contradicts one before it, in load order."""
    files = list(loaded(project))
    forbidden = {
        claim.about
        for file in files
        for _, _, claims in _stated(file)
        for claim in claims
        if claim.says == "no"
    }
    seen: dict[tuple[str, ...], _Said] = {}
    for file in files:
        for claimed in _claimed(file, forbidden):
            pairs = ((seen.setdefault(said.claim.about, said), said) for said in claimed)
            clash = next((pair for pair in pairs if _clash(*pair)), None)
            if clash:
                yield _hit(project, *clash)


def _claimed(file: MemoryFile, forbidden: set[tuple[str, ...]]) -> Iterator[list[_Said]]:
    """Yield what each statement claims; what is forbidden somewhere may be asked for plainly."""
    first_words = {about[1].partition(" ")[0] for about in forbidden}
    for item, key, claims in _stated(file):
        if claims:
            yield [_Said(file, item, claim, plain=False) for claim in claims]
        elif key.partition(" ")[0] in first_words and plainly(key).about in forbidden:
            yield [_Said(file, item, plainly(key), plain=True)]


def _clash(before: _Said, said: _Said) -> bool:
    if before.claim.says == said.claim.says:
        return False
    if said.claim.about[0] != "choice" and not (said.plain or before.plain):
        return True
    if before.file is said.file:
        return _heading(before) == _heading(said)
    return _parts(before) == _parts(said)


def _heading(said: _Said) -> int:
    """Return the number of headings above: what is chosen below one may hold for it alone."""
    return bisect_right(said.file.markdown.headings, said.item.line, key=lambda head: head.line)


def _parts(said: _Said) -> set[str]:
    """Return the parts of a project the section is about, by its heading."""
    number = _heading(said)
    heading = said.file.markdown.headings[number - 1] if number else None
    if heading is None or heading.level == 1:
        return set()
    return {part.lower() for part in _PART.findall(heading.text)}


def _hit(project: Project, before: _Said, said: _Said) -> Hit:
    first, line = before.file, before.item.line
    where = "" if first is said.file else t(" of {0}", project.shown(first.path))
    return Hit(
        said.file.line_span(said.item.line),
        t(
            "This contradicts line {0}{1}, and both are in the prompt: the agent "
            "follows either. Keep one, or say when each holds",
            line + 1,
            where,
        ),
        related=(Related(first.path, first.line_span(line), t("the other one")),),
        path=said.file.path,
    )


def _stated(file: MemoryFile) -> Sequence[tuple[Item, str, tuple[Claim, ...]]]:
    """Return the statements of ``file`` that can be compared, normalised, and what they claim."""
    return file.content.once(_listed, file)


def _listed(file: MemoryFile) -> list[tuple[Item, str, tuple[Claim, ...]]]:
    shown = file.example_lines
    out = []
    for item, introduction in _introduced(file):
        if item.end_line > item.line + 1 or item.indent or item.line in shown:
            continue  # more is said about it than this line, or it is only shown
        if not _COUNTER.search(introduction):
            key = normalised(item.text)
            out.append((item, key, claims_in(key)))
    return out


def _introduced(file: MemoryFile) -> Iterator[tuple[Item, str]]:
    """Yield each item with the line that introduces its list: the last text or heading before it.

    A list may be introduced as what not to do, or as examples.
    """
    introduction, done = "", 0
    for item in file.markdown.items:
        for number in range(done, item.line):
            if file.markdown.kinds[number] in (LineKind.TEXT, LineKind.HEADING):
                introduction = file.lines[number]
        done = max(done, item.line)
        yield item, introduction


RULE = ProjectRule(
    "AM602",
    "conflict",
    Severity.WARNING,
    "Two statements that contradict each other",
    check=check,
)
