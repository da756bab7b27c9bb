"""AM602: two statements that tell the agent to do opposite things.

Only statements that are alike word by word are compared: "use X for Y" against "never use X for
Y", "prefer X over Y" against "prefer Y over X", and "use A" against "use B" where A and B are
tools of which a project uses one.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache, partial
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.late import late
from agent_memory.markdown import Kind
from agent_memory.model import Related, Severity
from agent_memory.rules.base import Hit, MemoryFile, Project, Rule
from agent_memory.rules.duplicate_across_scopes import loaded
from agent_memory.rules.examples import example_lines
from agent_memory.rules.items import normalised

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.markdown import Item

_ONE_OF = (
    ("npm", "pnpm", "yarn", "bun"),
    ("pip", "uv", "poetry", "pdm", "pipenv"),
    ("tabs", "spaces"),
    ("single quotes", "double quotes"),
    ("pytest", "unittest"),
    ("jest", "vitest", "mocha"),
    ("merge commits", "rebase"),
)
_GROUP = {name: number for number, names in enumerate(_ONE_OF) for name in names}
_REASON = late(r"\s*(?:[;(]|\s[-–—]\s|,?\s(?:because|since|so that|as it|unless)\b|\.\s).*")  # noqa: RUF001
_NO = late(r"(?:please )?(?:never|do not|don't|don’t|avoid|no longer)\s+(?:ever )?")  # noqa: RUF001
_YES = late(r"(?:please )?(?:always|do|make sure to|you must|must)\s+")
_USE = late(r"(?:use|using)\s+(.+?)(?:\s+((?:for|as|in|to|when)\s.+))?\Z")
_PREFER = late(r"(?:prefer|use)\s+(.+?)\s+(?:over|instead of|rather than|not)\s+(.+)\Z")
_COUNTER = late(
    r"\bdon['’]?t|\bdo not\b|avoid|never|\bbad\b|wrong|anti-?pattern|mistake|\bnot\b"  # noqa: RUF001
    r"|instead|incorrect|deprecat|example|legacy|\bif\b|\bwhen\b|\bor\b|option|alternativ",
    re.IGNORECASE,
)
_CORE_MIN = 2
# What _read looks for at the start, behind emphasis and code marks; most items have none.
_CLAIMING = late(
    r"[\s*_`]*(?:please|never|do|avoid|no|always|make|you|must|us|prefer)", re.IGNORECASE
)


class Claim(NamedTuple):
    """``about`` is what two claims must share to be compared, ``says`` what they differ in."""

    about: tuple[str, ...]
    says: str


def check(project: Project) -> Iterator[Hit]:
    """Report each item that contradicts one before it, in load order."""
    seen: dict[tuple[str, ...], tuple[MemoryFile, Item, str]] = {}
    for file in loaded(project):
        for item, claim in file.content.once("claims", partial(_listed, file)):
            first, before, said = seen.setdefault(claim.about, (file, item, claim.says))
            elsewhere = first is file and claim.about[0] == "tool" and _parted(file, before, item)
            if said != claim.says and not elsewhere:
                where = "" if first is file else f" of {project.shown(first.path)}"
                yield Hit(
                    file.line_span(item.line),
                    f"This contradicts line {before.line + 1}{where}, and both are in the prompt: "
                    "the agent follows either. Keep one, or say when each holds",
                    related=(Related(first.path, first.line_span(before.line), "the other one"),),
                    path=file.path,
                )


def _parted(file: MemoryFile, one: Item, other: Item) -> bool:
    """Whether a heading stands between the two: each may hold for its own part of a project."""
    headings = file.markdown.headings
    above = bisect_right(headings, one.line, key=lambda heading: heading.line)
    return above < len(headings) and headings[above].line < other.line


def _listed(file: MemoryFile) -> list[tuple[Item, Claim]]:
    return list(_claims(file))


def _claims(file: MemoryFile) -> Iterator[tuple[Item, Claim]]:
    for item, introduction in _introduced(file):
        if item.end_line > item.line + 1 or item.indent:
            continue  # more is said about it than this line
        if item.line in example_lines(file):
            continue
        claims = _claims_in(item.text)
        if claims and not _COUNTER.search(introduction):
            yield from ((item, claim) for claim in claims)


def _introduced(file: MemoryFile) -> Iterator[tuple[Item, str]]:
    """Yield each item with the line that introduces its list: the last text or heading before it.

    A list may be introduced as what not to do, or as examples.
    """
    introduction, done = "", 0
    for item in file.markdown.items:
        for number in range(done, item.line):
            if file.markdown.kinds[number] in (Kind.TEXT, Kind.HEADING):
                introduction = file.lines[number]
        done = max(done, item.line)
        yield item, introduction


def _claims_in(text: str) -> tuple[Claim, ...]:
    return _claimed(text) if _CLAIMING.match(text) else ()


@lru_cache(maxsize=1 << 15)
def _claimed(text: str) -> tuple[Claim, ...]:
    return tuple(_read(_REASON.sub("", normalised(text.replace("`", "")))))


def _read(text: str) -> Iterator[Claim]:
    """Yield what ``text`` (normalised, without its reason) claims."""
    prefer = _PREFER.match(text)
    if prefer:
        pair = sorted((prefer[1], prefer[2]))
        yield Claim(("prefer", *pair), prefer[1])
        return
    no = _NO.match(text)
    core = text[no.end() :] if no else text
    core = core if no else _YES.sub("", core, count=1)
    use = _USE.match(core)
    if no and not use and core.partition(" ")[0] in _GROUP:
        use = _USE.match("use " + core)
        core = "use " + core
    if core.count(" ") + 1 >= _CORE_MIN and (no or use or _YES.match(text)):
        yield Claim(("do", core.replace("using ", "use ", 1)), "no" if no else "yes")
    if use and not no and use[1] in _GROUP:
        yield Claim(("tool", str(_GROUP[use[1]]), use[2] or ""), use[1])


RULE = Rule(
    "AM602",
    "conflict",
    Severity.WARNING,
    "Two statements that contradict each other",
    project=check,
)
