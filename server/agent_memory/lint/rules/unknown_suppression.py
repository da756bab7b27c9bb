"""AM901: a suppression comment that names no known rule or action."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Edit, Fix, Severity
from agent_memory.base.text import Span
from agent_memory.l10n import t
from agent_memory.lint.rule import Hit, Registry, SuppressionRule
from agent_memory.lint.suppressions import ACTIONS, Suppression

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from agent_memory.lint.memory_file import MemoryFile

_WORD = lazy_compile(r"[^\s,]+")
_WHOLE_CODE = lazy_compile(r"AM\d+\Z", re.IGNORECASE)
"""The form of a code: AM107."""
_CODE_START = lazy_compile(r"AM\d", re.IGNORECASE)
"""The start of a code, which may have a typing error after it: AM1O7."""


def check(file: MemoryFile, directives: list[Suppression], registry: Registry) -> Iterator[Hit]:
    """Report each unknown rule, and each comment that is not a valid directive."""
    for item in directives:
        if not item.action:
            yield _invalid(file, item)
            continue
        for word in _unknown_rules(item, registry):
            yield _unknown_rule(file, item, word, nearest_of(word, registry.rules))


def _invalid(file: MemoryFile, item: Suppression) -> Hit:
    """Return the hit of the invalid ``item``: its action is unknown, or it has several lines."""
    words = _WORD.findall(item.rest.partition(":")[2])  # `rest` is the whole comment
    action = words[0] if words else ""
    if action not in ACTIONS:
        return _unknown_action(file, item, action)
    message = t(
        "This suppression has no effect: it has several lines\n"
        "The comment must begin and end on one line."
    )
    return Hit(item.comment.span, message)


def _unknown_rules(item: Suppression, registry: Registry) -> Iterator[str]:
    """Yield the words of ``item`` before its reason that look like a rule and are not one."""
    # `disable: AM107: a reason`: a colon before the names does not count, the next one ends them.
    names = item.rest.lstrip(" :").partition(":")[0]
    for number, word in enumerate(_WORD.findall(names)):
        if word in registry.rules:
            continue
        # The cutoff is high, so that a word of the reason is not taken for the name of a rule.
        near = nearest_of(word, registry.rules, 0.85)
        # The first word, if it is in `keys`, is an unknown name, even without the form of a rule.
        is_first_name = number == 0 and word in item.keys
        if not (near or _WHOLE_CODE.match(word) or is_first_name):
            return  # the reason begins here
        yield word


def _unknown_rule(file: MemoryFile, item: Suppression, word: str, near: str | None) -> Hit:
    """Return the hit of ``word``; ``near`` is the most similar rule, None without one."""
    if near:
        message = t(
            "This suppression names the unknown rule '{0}'\nDid you mean '{1}'?", word, near
        )
    else:
        message = t(
            "This suppression names the unknown rule '{0}'\n`agent-memory rules` lists all rules.",
            word,
        )
    return _hit(file, item, word, near, message)


def _unknown_action(file: MemoryFile, item: Suppression, word: str) -> Hit:
    """Return the hit of ``word`` in place of an action, '' if the directive has no words."""
    near = nearest_of(word, ACTIONS) if word else None
    known = ", ".join(ACTIONS)
    if near:
        message = t(
            "This suppression has the unknown action '{0}'\nDid you mean '{1}'?", word, near
        )
    elif word:
        message = t("This suppression has the unknown action '{0}'\nUse one of {1}.", word, known)
    else:
        message = t("This suppression names no action\nUse one of {0}.", known)
    return _hit(file, item, word, near, message)


def _hit(file: MemoryFile, item: Suppression, word: str, near: str | None, message: str) -> Hit:
    """Return the hit of ``word``, with a fix that replaces it with ``near`` (None: no fix)."""
    span = _place(file, item, word)
    if not near:
        return Hit(span, message)
    edit = Edit(file.path, span, near)
    return Hit(span, message, (Fix(t("Replace with {0}", near), (edit,), safe=False),))


def nearest_of(word: str, known: Collection[str], cutoff: float = 0.6) -> str | None:
    """Return the item of ``known`` most similar to ``word``, None if none is similar enough.

    ``known`` are codes in upper case and names in kebab case. A word in the form of a code
    (``am107``, ``AM1O7``) must equal a known code after it is in upper case and each O is a zero:
    similar numbers are not similar rules. Any other word is compared by similarity, of at least
    ``cutoff`` (0 to 1): in upper case if it starts like a code (``AM1X7``), else as a name.
    """
    if _CODE_START.match(word):
        folded = word.upper()
        code = folded.replace("O", "0")
        if _WHOLE_CODE.match(code):
            return code if code in known else None
    else:
        folded = word.lower().replace("_", "-")
    near = difflib.get_close_matches(folded, list(known), n=1, cutoff=cutoff)
    return near[0] if near else None


def _place(file: MemoryFile, item: Suppression, word: str) -> Span:
    """Return the position of ``word`` in the comment, which may span several lines.

    The whole comment if ``word`` is '' or not found.
    """
    span = item.comment.span
    if word:
        for line in range(span.line, min(span.end_line + 1, len(file.lines))):
            start = span.start if line == span.line else 0
            at = file.lines[line].find(word, start)
            if at >= 0:
                return Span.on_line(line, at, at + len(word))
    return span


RULE = SuppressionRule(
    "AM901",
    "unknown-suppression",
    Severity.WARNING,
    "A suppression comment that names no known rule",
    check=check,
)
