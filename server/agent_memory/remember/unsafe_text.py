"""Text that must not be saved: it would be an error finding, or hide findings.

What is saved comes from a selection, a web page or an agent. Settings of the project and comments
in the file have no say here, because a repository controls both.
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

from agent_memory.base.model import Severity
from agent_memory.base.text import split_lines
from agent_memory.l10n import t
from agent_memory.lint import suppressions
from agent_memory.lint.rule import LineRule
from agent_memory.lint.rules import RULES
from agent_memory.lint.rules.delimiter_breakout import tags_in
from agent_memory.markdown.parser import scan
from agent_memory.runtimes import RUNTIMES

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_BYTES = 16 * 1024
"""Bytes of one item: half of the recommended size of a whole file."""
# Without the marker =======, which is also the line of a setext heading.
_CONFLICT = re.compile(r"^(?:<{7}|>{7}|\|{7})(?: |$)", re.MULTILINE)
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")  # all but tab, LF and CR
_CONTAINERS = tuple(dict.fromkeys(tag for item in RUNTIMES for tag in item.container_tags))
"""The tags that a runtime wraps memory in, each once."""
_SECRETS = "AM2"
"""The codes of rules for secrets begin with it. The planner searches for secrets by itself, because
it can redact them."""


def why_unsafe(item: str, *lines: str, most: int = MAX_BYTES) -> str:
    """Return why the formatted ``item`` and the ``lines`` that are saved with it must not be saved.

    '' if they may be saved. ``most`` is the largest size of the item in bytes.
    """
    text = "\n".join((*lines, item))
    size = len(item.encode("utf-8", "surrogatepass"))
    if size > most:
        return t(
            "the item has {0:,} bytes, more than the limit of {1:,}. Save it as a file and "
            "remember a link to it",
            size,
            most,
        )
    return next(_reasons(text), "")


def _reasons(text: str) -> Iterator[str]:
    """Yield each reason why ``text`` must not be saved."""
    control = _CONTROL.search(text)
    if control:
        yield t("the text contains the control character U+{0:04X}. Remove it", ord(control[0]))
    if _CONFLICT.search(text):
        yield t("the text contains a merge conflict marker. Resolve the conflict first")
    lines = split_lines(text)
    if suppressions.parse(scan(lines)):
        yield t("the text contains a comment that turns findings off. Remove the comment")
    for tag in tags_in(text, _CONTAINERS):
        yield t(
            "{0} ends or opens the block that a runtime wraps memory in. Write the tag name "
            "without angle brackets",
            tag,
        )
    yield from _errors(lines)


def _errors(lines: list[str]) -> Iterator[str]:
    """Yield the fact of each error that a rule for lines finds.

    It is the first line of the message; the effect and the action are below it.
    """
    for rule in RULES:
        if not isinstance(rule, LineRule) or rule.code.startswith(_SECRETS):
            continue
        for hit in itertools.chain.from_iterable(map(rule.check, lines)):
            if (hit.severity or rule.severity) is Severity.ERROR:  # None: the severity of the rule
                yield hit.message.partition("\n")[0]
