"""AM107: characters that a person cannot see but a model reads.

Tag characters and runs of variation selectors spell hidden text; bidirectional controls change the
displayed order; zero-width characters hide word boundaries; control characters hide text in
terminals. Characters that writing systems and emoji need are never reported: joiners in Arabic,
Indic and related scripts, zero-width spaces in scripts without word spaces, direction marks in a
line with right-to-left letters, emoji sequences, flags and keycaps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Severity
from agent_memory.l10n import t
from agent_memory.lint.rule import LineFix, LineHit, LineRule
from agent_memory.secrets import shown

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

# Parts of character classes.
_TAGS = "\U000e0000-\U000e007f"  # an invisible copy of ASCII
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"  # variation selectors
_ZERO_WIDTH = "\u200b-\u200d\u2060-\u2064\u180e\ufeff\u206a-\u206f\ufff9-\ufffb"
_DIRECTION = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # bidirectional controls
_FILLERS = "\u115f\u1160\u3164\uffa0"  # invisible Hangul letters
_CONTROL = "\x00-\x08\x0b\x0e-\x1f\x7f"  # control characters but tab, newlines and form feed
# One variation selector alone only chooses the form of the character before it.
_HIDDEN = lazy_compile(
    f"[{_TAGS}{_ZERO_WIDTH}{_DIRECTION}{_FILLERS}\u00ad]+|[{_SELECTORS}]{{2,}}|[{_CONTROL}]+"
)
_PICTURE = "\u00a9\u00ae\u203c\u2049\u20e3\u2122\u2139\u2190-\u2bff\u3030\u303d\u3297\u3299"
_PICTURE += "\U0001f000-\U0001faff\ufe0f"
"""Emoji, other pictures, and what can be between two parts of one."""
_JOINING = (
    "\u0600-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u18af\ua840-\uabff\ufb50-\ufdff\ufe70-\ufefc"
)
"""Scripts in which joiners choose the form of letters, such as Arabic."""
_SPACELESS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u1950-\u1aaf"
"""Scripts without spaces between words, such as Thai."""
_ORDINARY = lazy_compile(
    f"\U0001f3f4[\U000e0020-\U000e007e]{{1,7}}\U000e007f"  # the flag of a region
    f"|(?<=[{_PICTURE}])\u200d(?=[{_PICTURE}])"
    f"|(?<=[{_JOINING}])[\u200c\u200d\u180e]"
    f"|(?<=[{_SPACELESS}])\u200b(?=[{_SPACELESS}])"
    "|[\u115f\u1160](?=[\u1160-\u11ff])|(?<=[\u1100-\u115f])\u1160"  # in a syllable
)
"""Hidden characters that emoji and scripts need."""
_RIGHT_TO_LEFT = lazy_compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
"""A letter of a script that is written from right to left, such as Hebrew or Arabic."""
_MARKS = frozenset("\u061c\u200e\u200f\u2066\u2067\u2068\u2069\u202a\u202b\u202c")
"""Marks of direction, without overrides: those can show text in another order."""
_OVERRIDES = "\u202d\u202e"
"""Marks that show the text after them in another order."""
_MEANINGLESS = frozenset("\u200b\u2060\ufeff\u00ad")
"""Zero-width spaces, word joiners and soft hyphens: without them, a text says the same."""
_FENCES = ("```", "~~~")
_NAMED = 8
"""Characters of a run that a message names."""
_SHOWN = 60
"""Characters of a hidden text that a message shows."""


def check(line: str) -> Iterator[LineHit]:
    """Report each run of hidden characters that writing systems and emoji do not need."""
    if line.isascii() and line.rstrip("\r\n").isprintable():
        return  # most lines, so that the first check need not compile the pattern
    runs = list(_HIDDEN.finditer(line))
    if not runs or (len(runs) == 1 and _is_named(line, runs[0][0])):
        return
    needed = _needed_columns(line)
    for run in runs:
        is_needed = needed.issuperset(range(*run.span()))
        if not (is_needed or _shows_fence(line, run)):
            yield _hit(line, run)


def _needed_columns(line: str) -> set[int]:
    """Return the columns of the hidden characters that writing systems and emoji need."""
    needed = {column for match in _ORDINARY.finditer(line) for column in range(*match.span())}
    if line[0] == "\ufeff":
        needed.add(0)  # a byte order mark has its own rule; the number of the line is unknown here
    if _RIGHT_TO_LEFT.search(line):  # such a line may need any of the direction marks
        needed.update(column for column, character in enumerate(line) if character in _MARKS)
    return needed


def _shows_fence(line: str, run: re.Match[str]) -> bool:
    """Return whether ``line`` is a fence with ``run`` in front of it.

    This is the usual way to show a fence inside a fence. False if ``run`` may hide something.
    """
    is_first = not line[: run.start()].strip()
    is_before_fence = line.startswith(_FENCES, run.end())
    return is_first and is_before_fence and _MEANINGLESS.issuperset(run[0])


def _hit(line: str, run: re.Match[str]) -> LineHit:
    """Return the hit of ``run``, hidden characters of ``line``, with a fix that removes them."""
    start, end = run.span()
    hidden = run[0]
    is_alone_in_code = len(hidden) == 1 and line[:start].endswith("`") and line.startswith("`", end)
    is_before_fence = line.startswith(_FENCES, end)
    is_meaningless = _MEANINGLESS.issuperset(hidden)
    is_shown = is_meaningless and (is_alone_in_code or is_before_fence)  # on purpose
    # Soft hyphens and control characters also come with copied text.
    is_copied = set(hidden) == {"\u00ad"} or hidden[0] < " " or hidden[0] == "\x7f"
    severity = Severity.WARNING if is_copied else None
    is_safe = is_meaningless and not is_shown
    fix = LineFix(t("Remove the hidden characters"), ((start, end, ""),), is_safe)
    return LineHit(start, end, _message(hidden), (fix,), Severity.INFO if is_shown else severity)


def _is_named(line: str, run: str) -> bool:
    """Return whether ``run`` is one character and ``line`` tells the reader about it.

    The line names its code point, as in ``Zero-width space (U+200B):``. False for a character that
    overrides the direction, since it also changes how other text is shown.
    """
    return len(run) == 1 and run not in _OVERRIDES and f"U+{ord(run):04X}" in line.upper()


def _message(run: str) -> str:
    """Return the message about ``run``: its first code points, and what it spells, masked."""
    names = ", ".join(f"U+{ord(char):04X}" for char in dict.fromkeys(run[:_NAMED]))
    if len(set(run)) > len(set(run[:_NAMED])):
        names += ", …"
    hidden = shown(_decoded(run))[:_SHOWN]
    if hidden and len(run) == 1:
        return t(
            "1 invisible character ({0}) reads '{1}' to the agent\n"
            "Remove it unless it is intended.",
            names,
            hidden,
        )
    if hidden:
        return t(
            "{0} invisible characters ({1}) read '{2}' to the agent\n"
            "Remove them unless they are intended.",
            len(run),
            names,
            hidden,
        )
    if len(run) == 1:
        return t(
            "1 invisible character ({0})\n"
            "The agent reads more than you see. Remove it unless it is intended.",
            names,
        )
    return t(
        "{0} invisible characters ({1})\n"
        "The agent reads more than you see. Remove them unless they are intended.",
        len(run),
        names,
    )


def _decoded(run: str) -> str:
    """Return the ASCII text that tag characters or variation selectors spell, or ''.

    The selectors are two blocks, of 16 and of 240 characters, for the values from 0 to 255.
    """
    values = []
    for code in map(ord, run):
        if 0xE0000 <= code < 0xE0080:  # tags
            values.append(code - 0xE0000)
        elif 0xFE00 <= code < 0xFE10:
            values.append(code - 0xFE00)
        elif 0xE0100 <= code < 0xE01F0:
            values.append(code - 0xE0100 + 16)
    return "".join(chr(value) for value in values if 0x20 <= value < 0x7F)


RULE = LineRule(
    "AM107", "hidden-unicode", Severity.ERROR, "Text that only the agent sees", check=check
)
