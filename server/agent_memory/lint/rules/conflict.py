"""AM602: two statements that tell the agent to do opposite things.

Only statements with nearly the same words are compared (:mod:`agent_memory.language.imperatives`).
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.model import Related, Severity
from agent_memory.base.text_cache import TextCache
from agent_memory.l10n import t
from agent_memory.language.imperatives import Claim, claims_in, plain_claim
from agent_memory.language.similarity import normalized
from agent_memory.lint.rule import MEMORY_ROLES, FileRule, Hit
from agent_memory.lint.rules.duplicate_across_scopes import loaded
from agent_memory.lint.shared.word_lists import word_list
from agent_memory.markdown.model import LineKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project
    from agent_memory.markdown.model import Item


class _Comparable(NamedTuple):
    """An item that can be compared with others, its normalized text and the claims of that."""

    item: Item
    text: str
    claims: tuple[Claim, ...]


class _Statement(NamedTuple):
    """A claim and its location; ``plain``: an order that lacks a word such as *always*."""

    file: MemoryFile
    item: Item
    claim: Claim
    plain: bool


def check(project: Project) -> Iterator[Hit]:
    """Report each item of the prompt that contradicts an earlier one, in load order."""
    return _conflicts(project, loaded(project))


def check_alone(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report each item of a file outside of the prompt that contradicts an earlier one in the file.

    Such a file, for example of a subfolder, is compared with no other: it may override them.
    """
    return iter(()) if file.in_prompt else _conflicts(project, [file])


def _conflicts(project: Project, files: Sequence[MemoryFile]) -> Iterator[Hit]:
    """Report each item of ``files`` that contradicts the first item about the same thing.

    An item with several claims is reported once, for the first contradiction.
    """
    forbidden = {
        claim.about
        for file in files
        for comparable in _comparable_items(file)
        for claim in comparable.claims
        if claim.says == "no"
    }
    firsts: dict[tuple[str, ...], _Statement] = {}  # by what they are about
    for file in files:
        for statements in _claimed(file, forbidden):
            for statement in statements:
                first = firsts.setdefault(statement.claim.about, statement)
                if _contradict(first, statement):
                    yield _hit(project, first, statement)
                    break


def _claimed(file: MemoryFile, forbidden: set[tuple[str, ...]]) -> Iterator[list[_Statement]]:
    """Yield the statements of each item that has any.

    A plain order has no word such as *always*. It counts only if it is about something in
    ``forbidden``, which are the subjects of the claims with *never* or *do not*.
    """
    # `about` of an order is ("do", "commit", "main"), of a choice ("choice", "language"). A plain
    # order begins with its verb, here "commit", so its first two letters are a cheap test.
    starts = {about[1][:2] for about in forbidden if len(about) > 1}
    for item, text, claims in _comparable_items(file):
        statements = [_Statement(file, item, claim, plain=False) for claim in claims]
        # An order that is in `claims` already, with a word such as *always*, is no plain one.
        if text[:2] in starts and not any(claim.about[0] == "do" for claim in claims):
            claim = plain_claim(text)
            if claim.about in forbidden:
                statements.append(_Statement(file, item, claim, plain=True))
        if statements:
            yield statements


def _contradict(first: _Statement, second: _Statement) -> bool:
    """Return whether two statements about the same thing contradict each other."""
    if first.claim.says == second.claim.says:
        return False
    is_choice = second.claim.about[0] == "choice"
    if not (is_choice or first.plain or second.plain):
        return True  # both have a word such as *always* or *prefer*, and hold below any heading
    # A choice or a plain order may hold only for what the heading above it names.
    if first.file is second.file:
        return _headings_above(first) == _headings_above(second)
    return _parts(first) == _parts(second)


def _headings_above(statement: _Statement) -> int:
    """Return the number of headings above ``statement``, which identifies its nearest heading."""
    headings = statement.file.markdown.headings
    return bisect_right(headings, statement.item.line, key=lambda heading: heading.line)


def _parts(statement: _Statement) -> set[str]:
    """Return the parts of a project that the heading above names: {"frontend"}, {"python"}.

    Empty without a heading, or directly below one of level 1, the title of the file.
    """
    count = _headings_above(statement)
    heading = statement.file.markdown.headings[count - 1] if count else None
    if heading is None or heading.level == 1:
        return set()
    return set(word_list("parts").findall(heading.text.lower()))


def _hit(project: Project, first: _Statement, second: _Statement) -> Hit:
    """Return the hit on ``second``, which contradicts ``first`` above it or in another file."""
    line = first.item.line
    if not first.file.in_prompt:  # of check_alone: both are in this file
        message = t(
            "Conflicts with line {0}\n"
            "An agent that reads this file may follow either one. Keep one, or state when each "
            "applies.",
            line + 1,
        )
    elif first.file is second.file:
        message = t(
            "Conflicts with line {0}\n"
            "Both are in the prompt, so the agent may follow either one. Keep one, or state when "
            "each applies.",
            line + 1,
        )
    else:
        message = t(
            "Conflicts with line {0} of {1}\n"
            "Both are in the prompt, so the agent may follow either one. Keep one, or state when "
            "each applies.",
            line + 1,
            project.shown(first.file.path),
        )
    related = Related(first.file.path, first.file.line_span(line), t("Conflicting statement"))
    return Hit(
        second.file.line_span(second.item.line),
        message,
        related=(related,),
        path=second.file.path,
    )


def _comparable_items(file: MemoryFile) -> Sequence[_Comparable]:
    """Return the items of ``file`` that can be compared, from the cache after the first call."""
    return file.content.once(_find_comparable_items, file)


def _find_comparable_items(file: MemoryFile) -> list[_Comparable]:
    """Return the items of one line that are neither nested, examples nor below a contrast."""
    examples = file.example_lines
    out = []
    for item, introduction in _introduced(file):
        has_more_lines = item.end_line > item.line + 1
        if has_more_lines or item.indent or item.line in examples:
            continue  # with an indent, it belongs to its parent
        if not _is_contrast(introduction):  # "Bad:"
            text = normalized(item.text)
            out.append(_Comparable(item, text, claims_in(text)))
    return out


@TextCache
def _is_contrast(introduction: str) -> bool:
    """Return whether a line says that the items below it are not orders: ``Bad:``, ``Options:``."""
    return bool(word_list("contrast").search(introduction.lower()))


def _introduced(file: MemoryFile) -> Iterator[tuple[Item, str]]:
    """Yield each item with the line that introduces its list: the last text or heading above.

    A wrapped line of an item above does not count. The line is '' without any text or heading.
    """
    introduction = ""
    searched = 0  # the lines above this one were searched for an earlier item
    items_end = 0  # the line after the items so far
    for item in file.markdown.items:
        unsearched = range(searched, item.line)
        introduction = _last_introducing(file, unsearched, items_end) or introduction
        searched, items_end = max(searched, item.line), max(items_end, item.end_line)
        yield item, introduction


def _last_introducing(file: MemoryFile, numbers: range, items_end: int) -> str:
    """Return the last of the lines ``numbers`` that can introduce a list; '' without one.

    A line of text above ``items_end`` with an indent is a wrapped line of an item. Without an
    indent it can introduce a list, although Markdown adds it to the item above.
    """
    for number in reversed(numbers):
        is_wrapped = number < items_end and file.lines[number][:1].isspace()
        is_text_or_heading = file.markdown.kinds[number] in (LineKind.TEXT, LineKind.HEADING)
        if is_text_or_heading and not is_wrapped:
            return file.lines[number]
    return ""


RULE = FileRule(
    "AM602",
    "conflict",
    Severity.WARNING,
    "Two statements that contradict each other",
    check=check_alone,
    in_project=check,
    roles=MEMORY_ROLES,
)
