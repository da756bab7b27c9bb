"""AM405: a heading without content."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Severity
from agent_memory.l10n import t
from agent_memory.lint.rule import MEMORY_ROLES, FileRule, Hit
from agent_memory.lint.shared import claude_mpm
from agent_memory.lint.shared.task_prompts import is_task_prompt
from agent_memory.markdown.model import LineKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project
    from agent_memory.markdown.model import Heading

_MARKER = lazy_compile(r"={2,}.*={2,}\Z|-{2,}.*-{2,}\Z")
"""The start or end of a part that a tool writes: ``=== END ===``."""
_ANCHOR = lazy_compile(r"<!-- ?[\w-]+: ?(?!disable|enable)[a-z][a-z0-9]*(?:[-_][a-z0-9]+)+ ?-->\Z")
"""A comment that gives the heading below it an id: ``<!-- rule: small-commits -->``.

Not ``<!-- TODO: later -->``: an id has a hyphen or an underscore.
"""
_SAYS = lazy_compile(
    r"(?!(?:step|phase|part|stage|level|day|week|étape|partie|niveau|jour|semaine)\b[^:]*:)"
    r"[^:]*\w`?[ \u00a0\u202f]?: +\S"
    r"|(?:[\w'-]+ )+[^\W\d]{4,}[.!] \S"  # "Keep it short. One thing", not "Linux vs. Windows"
    r"|[\u2705\u2713\u2714\u2717\u2718\u274c\U0001f6ab]|(?:\S+ ){7}\S|.*\w[.!]\Z",
    re.IGNORECASE,
)
"""A heading that is a statement: "Language: Go", "Langue : français", a sentence, a ticked item.

A sentence has eight words or more, or a period at its end or after two or more words. "Step 1:
Install" is not a statement, but the title of a part.
"""

_NUMBER = r"\W*(?:(?:rule )?\d[\d.]*[.):]?\W+)?"
"""The number of a heading: ``1.``, ``Rule 2:``."""
_ORDERS = lazy_compile(
    rf"{_NUMBER}(?:"
    # Orders, but not "Always", "Never do", "Use cases", which are titles of lists.
    r"(?:never|always|do not|don['’]t|avoid|prefer|use(?! (?:of|cases?)\b)|run(?! times?\b)"  # noqa: RUF001
    r"|keep|ensure|make sure|please|only|ask|write|follow|remember|respect|read|stick to|treat)"
    r"\s+(?!do\Z)[\w`\"]"
    r"|no \S+ \w|(?:answer|respond|reply|speak|commit) (?:in|only|early|often)\b"
    r"|(?:verwende|benutze|nutze|vermeide|bitte|nur|führe|antworte|schreib|halte)\w* \S"
    # Statements: "Tests must pass", "The API is versioned", but not "What is left".
    r"|(?!(?:what|when|why|how|where|which|who|things|was|wann|warum|wie|wo|welche)\b)(?:\S+ )*?"
    r"(?:must|should|shall|cannot|can['’]t|never|do not|don['’]t|, not|muss|müssen|soll(?:en|te)?"  # noqa: RUF001
    r"|always|(?<!you )(?<!we )(?:needs?|has|have) to"  # not "Tools you need to install"
    r"|darf|dürfen|nicht|niemals|nie|immer|keine?[nmrs]?|jamais|toujours|nunca|siempre|sempre|não"
    r"|nigdy|zawsze|никогда|всегда|не) (?!do\Z)\S"
    r"|(?!(?:what|when|why|how|where|which|who|things)\b)(?!(?:\S+ )*that )"
    r"(?:\S+ ){1,3}(?:is|are) \S"
    r")|.*, not \S",
    re.IGNORECASE,
)
"""A heading that is an order or a statement."""

_UNSPACED = lazy_compile(
    "(?:こと|ください|下さい|ます|です|する|しない|ない|せよ|禁止|厳禁|必須|！)\\Z|。|必ず"  # noqa: RUF001
    "|必须|必須|不要|不得|不能|不可|禁止|严禁|嚴禁|始终|始終|总是|總是|请|請|切勿"
    "|一定要|务必|務必|切记|切記|不允许|不允許|不应|不應"
    "|\\A(?:使用|用)(?!方法|方式|说明|說明|指南|示例|范例|例|场景|場景|手册|手冊|户|戶|途|法)"
    "|하세요|마세요|하지 |합니다|습니다|입니다|할 것|않|금지|반드시|ห้าม|ต้อง|อย่า|เสมอ"
    "|\\A(?:无|無|没有|沒有)子"  # that a folder or module has no parts
)
"""The same in Japanese, Chinese, Korean and Thai, where no spaces separate words."""

_POINTS = lazy_compile(
    r"(?:→|➜|⇒|[-=]>)\s*(?:`[^`]*[./][^`]*`|\[[^\[\]]*\]\(|[\w@~.-]*/)"
    r"|\]\([^():]+\.mdc?(?:#[^()]*)?\)\Z"
)
"""A heading of an index, with an arrow to a path or link, or a link to a Markdown file at its end.

Not one that ends in the name of a file, which may be the title of a section about that file.
"""

_WITHOUT_TEXT = {LineKind.BLANK, LineKind.HEADING, LineKind.COMMENT}
"""The kinds of lines of a file that has only headings."""
_SEARCHED_MAX = 200
"""Maximum characters of a heading to search for an order; a line of dashes would take long."""


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:  # noqa: ARG001 -- one signature
    """Report sections without text and without sub-sections, if the file has any text."""
    markdown = file.markdown
    # Not setext headings: their underline is often meant as a thematic break below a text.
    headings = [heading for heading in markdown.headings if heading.rows == 1]
    if {*markdown.kinds} <= _WITHOUT_TEXT:
        return  # only headings: another rule reports it
    if claude_mpm.is_memory(file) or is_task_prompt(file):
        return  # required sections may be empty; the headings of a prompt are those of its answer
    highest_level = min((heading.level for heading in headings), default=1)
    for number, heading in enumerate(headings):
        following = headings[number + 1] if number + 1 < len(headings) else None
        end = following.line if following else len(markdown.kinds)
        if any(kind is not LineKind.BLANK for kind in markdown.kinds[heading.line + 1 : end]):
            continue  # it has text, or a comment
        if number == 0 and following and following.level == highest_level:
            continue  # the title of the file, in the level of its sections
        if _needs_no_text(file, heading, following):
            continue
        yield Hit(
            file.line_span(heading.line),
            t(
                "Section '{0}' is empty\n"
                "The heading still costs tokens. Fill the section, or remove it.",
                heading.text,
            ),
        )


def _needs_no_text(file: MemoryFile, heading: Heading, following: Heading | None) -> bool:
    """Return whether the section of ``heading`` may be empty; ``following`` is the next heading."""
    if following and following.level > heading.level:
        return True  # it has a sub-section
    if following and following.level == 1:
        return True  # an embedded text with its own title follows
    if heading.line in file.example_lines or _MARKER.match(heading.text):
        return True
    if _is_anchor(file, heading):
        return True
    return _is_statement(heading.text) or _is_generated(file, heading)


def _is_anchor(file: MemoryFile, heading: Heading) -> bool:
    """Return whether a comment directly above ``heading`` gives it an id for programs."""
    return heading.line > 0 and bool(_ANCHOR.match(file.lines[heading.line - 1].strip()))


def _is_generated(file: MemoryFile, heading: Heading) -> bool:
    """Return whether a program wrote ``heading``, and would write it again if it were removed."""
    from agent_memory.lint.shared.generated_blocks import generated_lines  # noqa: PLC0415 -- few files need it

    return heading.line in generated_lines(file)


def _is_statement(text: str) -> bool:
    """Return whether a heading needs no text below it: a statement, an order or a link."""
    start = text[:_SEARCHED_MAX]
    if _POINTS.search(start):
        return True
    return bool(_SAYS.match(text) or _ORDERS.match(start) or _UNSPACED.search(text))


RULE = FileRule(
    "AM405",
    "empty-section",
    Severity.INFO,
    "An empty section",
    check=check,
    roles=MEMORY_ROLES,
)
