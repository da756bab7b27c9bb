"""Paths whose hidden folder is written in another letter case: ``.Claude/rules``.

A replacement of a name in the whole text, as of *Claude* by *Codex*, leaves such paths.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.text import Span
from agent_memory.lint.shared.paths.deleted import tokens_of
from agent_memory.lint.shared.paths.missing import Missing, missing_hit
from agent_memory.lint.shared.paths.samples import is_sample
from agent_memory.lint.shared.paths.similar_files import Similar
from agent_memory.lint.shared.word_lists import says
from agent_memory.markdown.references import Reference

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.fs.file_index import FileIndex
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.rule import Hit
    from agent_memory.lint.shared.paths.lookup import PathLookup
    from agent_memory.markdown.path_tokens import PathToken

_HEDGES = ("gone", "foreign_hedges")
"""Word lists: with one of these words in its sentence, the path is another one.

More words count for a path that does not exist in any letter case.
"""
_WRONG = lazy_compile(r"\b(?:not|never|wrong|instead of|rather than)\b|n't\b")
"""Words of a sentence about how a path is not to be written."""


def other_case_hits(file: MemoryFile, lookup: PathLookup) -> Iterator[Hit]:
    """Report the paths from the root that exist if the letter case does not count.

    Their first folder is a hidden one: of others, AM501 compares the letter case as it looks up the
    path. Left out are code, examples and what the text says need not exist.
    """
    tree = lookup.tree
    for token in file.content.once(tokens_of, file):
        if not token.normal.startswith(".") or token.line in file.example_lines:
            continue
        existing = _in_other_case(token, tree)
        if existing is None or not file.markdown.is_prose(token.line):
            continue
        span = Span.on_line(token.line, token.start, token.start + len(token.path))
        reference = file.with_text(Reference(token.path, span, ""))
        need_not_exist = any(says((name, reference.text)) for name in _HEDGES)
        need_not_exist = need_not_exist or bool(_WRONG.search(reference.text))
        if not need_not_exist and not is_sample(file, reference, token.normal, tree.has):
            missing = Missing(reference, Similar(existing, certain=True), None)
            yield missing_hit(file, lookup, missing, None)


def _in_other_case(token: PathToken, tree: FileIndex) -> str | None:
    """Return the existing path that differs from that of ``token`` in letter case only.

    None if the hidden folder exists as it is written, and if there is no such path.
    """
    path, listing = token.normal, tree.listing
    top, _, rest = path.partition("/")
    if not rest or listing is None or top == top.casefold() or tree.has(top):
        return None
    named = listing.by_folded_name.get(path.rpartition("/")[2].casefold(), ())
    return next((each for each in named if each.casefold() == path.casefold()), None)
