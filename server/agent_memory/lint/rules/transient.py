"""AM603: a temporary fact in memory, which lasts."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Role, Severity
from agent_memory.base.text import Span
from agent_memory.base.text_cache import text_cache
from agent_memory.l10n import t
from agent_memory.lint.rule import MEMORY_ROLES, FileRule, Hit
from agent_memory.markdown.model import LineKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_PART = r"(?:tonight|tomorrow|this (?:morning|afternoon|evening|weekend))"
_SOON = rf"(?:{_PART}|(?<!to )today|this week|right now)"
# After the moment: the end of the clause, so that "today's standards" do not count.
_END = r"(?=\s*(?:[.,;:!)]|\Z|(?:so|because|and|but|until|before|after|at|to)\b))"
_BROKEN = "(?:broken|down|failing|unavailable|offline|blocked)"
_DAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
TRANSIENT = lazy_compile(
    rf"\b(?:I|the user|user|my)\b(?!['’]s)[^.;:()]{{0,40}}\b{_SOON}\b{_END}"  # noqa: RUF001
    rf"|\b(?:we|our)\b[^.;:()]{{0,40}}\b{_PART}\b{_END}"
    rf"|(?:\A|[.;:(-] ?){_PART},? (?:I|we|the user)\b"
    r"|\b(?:I'm|I am|user is|is currently) (?:\w+ ){0,2}on (?:my|the|his|her|their) "
    r"(?:phone|way|train|bus|road|plane)\b"
    r"|\b(?:I'm|I am|we're|we are|user is) (?:away|out of office|on vacation|on holiday|travell?ing"
    r"|in a hurry|in a meeting)\b"
    rf"|\b(?:remind me|due|meeting|deadline)\b[^.;:()]{{0,30}}\b{_SOON}\b"
    r"|(?<!that is )(?<!that are )\bcurrently"
    rf" (?:{_BROKEN}|debugging|migrating|refactoring|working on)\b"
    rf"|\b(?:is|are|still) {_BROKEN} (?:right now|at the moment|today|this week|currently)\b"
    r"|\bas of (?:today|yesterday|(?:this|last) (?:week|month|morning))\b"
    rf"|\buntil (?:tomorrow\b|(?:next |this )?{_DAY}\b|next (?:week|month)\b)"
    r"|\bI(?:['’]ll| will) be (?:away|back|out|offline|on (?:vacation|holiday))\b"  # noqa: RUF001
    r"|(?:\A|[.;(-] ?)today,? (?:I|we|the user) (?:am|are|is|need|must|will|have|want)\b"
    r"|(?:\A|\A\s*[-*+] )(?:tomorrow|tonight): ",
    re.IGNORECASE,
)
"""A statement about now: "I am away this week", "the build is broken today", "Tonight: x"."""

# A question for every session: "list what is currently broken".
_ASKED = lazy_compile(
    r"\b(?:what(?:['’]s| is| are)|whatever is|anything|whether)\s\Z",  # noqa: RUF001
    re.IGNORECASE,
)
_EVERY = (
    r"every|each|usually|normally|generally|typically|often|sometimes|regularly|daily|weekly|monthly"
    rf"|yearly|annually|per (?:day|week|sprint|month)|{_DAY}s|weekdays|weekends|nightly"
)
# Before the moment, in its sentence: it repeats, or is a condition.
_RECURS = lazy_compile(
    rf"\b(?:{_EVERY}|when(?:ever)?|if|whether|unless|once|in case|as soon as|latest|newest)\b",
    re.IGNORECASE,
)
_SUBORDINATE = lazy_compile(r"\b(?:how|the way|what|like)\s*\Z", re.IGNORECASE)
"""Before *I am talking right now*: the way counts, not the moment."""
_RULED = lazy_compile(r"\b(?:always|never)\b", re.IGNORECASE)
"""Before the moment, in its clause: an order for every session."""
_AFTER = lazy_compile(
    rf"\b(?:{_EVERY}|if|when(?:ever)?|at night|in the (?:morning|afternoon|evening)s?)\b",
    re.IGNORECASE,
)
"""After the moment, in its clause: it repeats, or is a condition."""
_UNTIL_RULE = lazy_compile(
    rf"(?:\b{_DAY}\b[^.;,]{{0,20}}|\b(?:valid|took|lasted|ran|went|stayed|was|were|waited|continued)\b"
    r"[^.;]{0,40})\Z",
    re.IGNORECASE,
)
"""Before *until Friday*: a span of the week, a validity, or a duration."""
_SENTENCE = lazy_compile(r"[.;:!?](?=\s)|\b(?:because|since|so|but)\b", re.IGNORECASE)
"""Where a sentence, or a part of it with a reason or a contrast, begins."""
_CLAUSE = lazy_compile(r"[,.;:!?]|\b(?:so|and|but)\b", re.IGNORECASE)
"""Where a clause ends."""
_MOMENTS = 8
"""Maximum number of moments per line that are examined."""
_AROUND = 300
"""Characters before and after the moment that are searched; lines may be very long."""
# Every alternative of `TRANSIENT` has one of these; searching for them is 20 times as fast.
_NEEDED = (
    *("tonight", "tomorrow", "today", "this ", "right now"),
    *("i'm ", "i am ", "we're ", "we are ", "user is ", "currently", "at the moment", "as of "),
    *("until ", "i'll be ", "i’ll be ", "i will be "),  # noqa: RUF001
)


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:  # noqa: ARG001 -- one signature
    """Report statements about the present moment outside code and quotes.

    Entries of a run are skipped: they are found in this run only.
    """
    if file.source.path.parts[-3:-2] == ("runs",):  # `runs/<id>/<entry>.md`
        return
    kinds = file.markdown.kinds
    for number, columns in _moment.found_in(file.lines):
        if kinds[number] in (LineKind.TEXT, LineKind.ITEM):
            yield Hit(
                Span.on_line(number, *columns),
                t(
                    "This is true only for a while\n"
                    "Memory is read in every later session. Remove it, or write what stays true."
                ),
            )


def may_be_transient(text: str) -> bool:
    """Return whether :data:`TRANSIENT` may find something in ``text``: its prefilter.

    Only False is certain.
    """
    low = text.lower()
    return any(map(low.__contains__, _NEEDED))


@text_cache(may_be_transient)
def _moment(line: str) -> tuple[int, ...]:
    """Return (start, end) of the first statement about the present moment, () without one.

    Also () in a block quote, and if that statement or one before it is quoted or asked about: then
    the line is an example.
    """
    if not may_be_transient(line) or line.lstrip().startswith(">"):
        return ()
    for match in islice(TRANSIENT.finditer(line), _MOMENTS):
        if _is_quoted(line, match.start()) or _ASKED.search(line, 0, match.start()):
            return ()  # an example of speech, or a question for every session
        if not _lasts(line, match):
            return match.span()
    return ()


def _lasts(line: str, match: re.Match[str]) -> bool:
    """Return whether the statement ``match`` stays true, so that it is not reported.

    It is about a habit, a condition, a standing order, a span of time or the way to do something.
    """
    text_before = line[max(0, match.start() - _AROUND) : match.start()]
    before = _SENTENCE.split(text_before)[-1]  # in the sentence of the match
    after = line[match.end() : match.end() + _AROUND]
    if match[0].lower().startswith("until") and _is_span(before, after):
        return True
    if _SUBORDINATE.search(before):
        return True
    sentence = before + match[0]
    if _RECURS.search(sentence):  # "if I am away until tomorrow"
        return True
    clause_before = sentence.rpartition(",")[2]
    if _RULED.search(clause_before):
        return True
    clause_after = _CLAUSE.split(after, maxsplit=1)[0]
    return bool(_AFTER.search(clause_after))


def _is_span(before: str, after: str) -> bool:
    """Return whether the texts around *until tomorrow* say that it ends a span of time.

    Such as "the token was valid until Friday", "from Monday until Friday" and "until tomorrow
    midnight".
    """
    return after.lstrip().lower().startswith("midnight") or bool(_UNTIL_RULE.search(before))


def _is_quoted(line: str, column: int) -> bool:
    """Return whether ``column`` is inside quotation marks or a code span: an example of speech."""
    before = line[:column]
    has_odd_mark = any(before.count(mark) % 2 == 1 for mark in '"`')
    return has_odd_mark or before.count("“") > before.count("”")


RULE = FileRule(
    "AM603",
    "transient",
    Severity.INFO,
    "A statement that is true only now",
    check=check,
    roles=MEMORY_ROLES | {Role.ENTRY},
)
