"""Which anchors a Markdown file has: its headings and explicit ids.

Renderers derive an anchor from a heading in several ways, so only letters and digits are compared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.markdown import parser

if TYPE_CHECKING:
    from agent_memory.fs.reader import FileText

_EXPLICIT = lazy_compile(r"(?:\b(?:id|name)\s*=\s*[\"']?|\{#)([^\s\"'>{}]+)")
"""``<a id="setup">``, ``<a name=setup>`` or ``{#setup}``; the group is the id."""
_LINE = lazy_compile(
    r"L\d+(?:C\d+)?(?:-L?\d+(?:C\d+)?)?\Z",
)
"""``L10``, ``L10-L20`` or ``L10C5-L12C9``: lines, as on GitHub. Every file has this anchor."""
_NUMBER = lazy_compile(r"-?\d+\Z")
"""The number at the end that distinguishes equal headings: ``setup-1``."""


def has_anchor(content: FileText, anchor: str) -> bool:
    """Return whether the Markdown file ``content`` has ``anchor``.

    A heading or an id need not equal ``anchor``: letter case, characters other than letters and
    digits, and a number at the end of ``anchor`` do not count. Also True for an anchor that every
    file has: '', lines (``L10-L20``), or what a browser or a script interprets.
    """
    wanted = unquote(anchor)
    # `:~:text=` searches a text of the page, and the script of a page interprets `!`.
    if not wanted or _LINE.match(wanted) or wanted.startswith((":~:", "!")):
        return True
    known = content.once(_anchors, content)
    return _plain(wanted) in known or _plain(_NUMBER.sub("", wanted)) in known


def _anchors(content: FileText) -> frozenset[str]:
    """Return the texts of the headings and the explicit ids, each as :func:`_plain` returns it."""
    headings = content.once(parser.scan, content.lines).headings
    explicit = _EXPLICIT.findall(content.text)
    return frozenset(map(_plain, (*(heading.text for heading in headings), *explicit)))


def _plain(text: str) -> str:
    """Return the letters and digits of ``text``, in lower case."""
    return "".join(filter(str.isalnum, text.casefold()))
