"""The sections of a memory file, and the section that fits an item."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent_memory.language.similarity import gist
from agent_memory.secrets import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent_memory.markdown.model import Heading, Markdown

# The end of a heading: " (Max: 15 items)".
_LIMIT_NOTE = re.compile(r"\s*\((?:max|limit)\b[^)]*\)\s*\Z", re.IGNORECASE)

# Topics: a pattern for words of items, and the words of their headings. The topics are Claude
# MPM's learning types and common headings of AGENTS.md files.
_CUES: tuple[tuple[re.Pattern[str], frozenset[str]], ...] = tuple(
    (re.compile(rf"\b(?:{cue})", re.IGNORECASE), frozenset(headings.split()))
    for cue, headings in (
        (
            r"never|avoid|don'?t|do not|mistake|bug|pitfall|gotcha|careful|beware|broke|breaks",
            "mistakes mistake avoid pitfalls gotchas warnings caution dont never",
        ),
        (
            r"prefers?\b|prefer |i (?:like|want|use)|my |call me|tone|reply|replies|answer|explain",
            "preferences preference user style personality tone communication about me",
        ),
        (
            r"tests?\b|testing|pytest|jest|vitest|coverage|fixture|mock",
            "test tests testing quality qa",
        ),
        (
            r"run |build|install|npm|pnpm|yarn|make|cargo|docker|lint|command|script|deploy",
            "commands command build setup run development workflow scripts tooling tools deploy",
        ),
        (
            r"architecture|module|service|layer|component|package|folder|directory|lives in",
            "architecture structure overview layout design project",
        ),
        (
            r"pattern|convention|naming|names?\b|style|format|indent|import|type hints?|quotes",
            "patterns pattern conventions convention style coding code formatting",
        ),
        (
            r"api\b|endpoint|integrat|webhook|client|upstream|third.party|queue|database",
            "integration integrations api apis points services interfaces external",
        ),
        (
            r"slow|fast|performance|latency|cache|memory usage|optimi[sz]|timeout",
            "performance optimization speed considerations",
        ),
        (r"strateg|approach|works well|effective|first look|start with", "strategies strategy"),
        (
            r"currently|right now|this (?:week|sprint|release)|in progress|migrat|version",
            "context current status state",
        ),
        (
            r"always|must|should|guideline|rule|require|use |keep ",
            "guidelines guideline rules conventions instructions practices implementation",
        ),
        (r"secret|token|password|permission|auth|security", "security auth secrets"),
    )
)
# Words of the headings of sections for notes, which take any item.
_CATCH_ALL = frozenset({"notes", "note", "learnings", "learned", "misc", "other", "memories"})


@dataclass(frozen=True, slots=True)
class Section:
    """A heading that items can be added under.

    ``title`` is its text without a note about limits. ``end`` is the line of the next heading of
    any level, or the number of lines.
    """

    title: str
    heading: Heading
    end: int


def sections_of(markdown: Markdown) -> list[Section]:
    """Return the sections of a file, without the title of the file if others follow.

    The title is the first heading, if it is the only one of level 1. Headings without text are
    left out.
    """
    headings = markdown.headings
    ends = [*(heading.line for heading in headings[1:]), len(markdown.kinds)]
    sections = [
        Section(plain_title(heading.text), heading, end)
        for heading, end in zip(headings, ends, strict=False)  # without headings, one end is left
        if heading.text.strip()
    ]
    top = [section for section in sections if section.heading.level == 1]
    if len(top) == 1 and len(sections) > 1 and sections[0] is top[0]:
        return sections[1:]
    return sections


def plain_title(text: str) -> str:
    """Return a heading's text without a note such as ``(Max: 15 items)``."""
    return _LIMIT_NOTE.sub("", text).strip()


def named(sections: Sequence[Section], title: str) -> Section | None:
    """Return the first section called ``title``; None without one.

    Letter case, markup and a note about limits do not count. A title with a secret is also found by
    its masked form, which is all a client receives.
    """
    wanted = gist(plain_title(title)).text or title.strip()  # a title of symbols alone has no gist
    for section in sections:
        if (gist(section.title).text or section.title) == wanted or shown(section.title) == title:
            return section
    return None


def suggest(sections: Sequence[Section], text: str, lines: Sequence[str]) -> Section | None:
    """Return the section that fits ``text`` best; None if none does.

    Each word of a heading counts 3 if ``text`` has it, and 2 for each topic of ``text`` that has it
    among its words of headings. The share of the words of ``text`` that the section contains counts
    up to 1. If no section reaches 0.3, the result is the last section for notes. A single section
    always fits.
    """
    if len(sections) < 2:
        return sections[0] if sections else None
    words = gist(text).words
    topics = _topics_by_word(text)

    def score(section: Section) -> float:
        """Return how well ``section`` fits ``text``, from the words of its heading and its text."""
        title_words = gist(section.title).words
        section_words = gist("".join(lines[section.heading.line + 1 : section.end])).words
        by_topic = 2 * sum(topics[word] for word in title_words)
        by_title = 3 * len(words & title_words)
        share = len(words & section_words) / (len(words) or 1)  # 0 for a text without words
        return by_topic + by_title + share

    best = max(sections, key=score)
    if score(best) >= 0.3:  # a topic, a word of the heading, or 30 % of the item's words
        return best
    notes = [section for section in sections if gist(section.title).words & _CATCH_ALL]
    return notes[-1] if notes else None


def _topics_by_word(text: str) -> Counter[str]:
    """Return the number of topics of ``text`` that have a word among those of their headings."""
    return Counter(word for cue, headings in _CUES if cue.search(text) for word in headings)
