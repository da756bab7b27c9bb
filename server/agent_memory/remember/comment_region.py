"""Whether a selection in source code lies in one comment or docstring, and its words.

Comments and strings are found by patterns for families of languages, not by a parser: a file that
is being edited need not be valid.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

# Strings, which may contain the markers of comments, and comments. A comment or docstring that is
# not closed ends with the text (\Z).
_DOUBLE = r'"(?:\\[\s\S]|[^"\\\n])*"'
_SINGLE = r"'(?:\\[\s\S]|[^'\\\n])*'"
# As 'x' or '\u{1F600}' in Rust; the quote of a lifetime, as in &'a, begins no string.
_CHARACTER = r"'(?:\\.[^'\n]{0,8}|[^'\\\n])'"
_BACKTICK = r"`(?:\\[\s\S]|[^`\\])*`"
_TRIPLE = "(?P<doc>[rRuU]?(?:{}))".format(
    "|".join(rf"{quotes}(?:\\[\s\S]|[^\\])*?(?:{quotes}|\Z)" for quotes in ('"' * 3, "'" * 3))
)
_C_BLOCK = r"(?P<block>/\*[\s\S]*?(?:\*/|\Z))"
_C_LINE = r"(?P<line>(?<!:)//[^\n]*)"  # but not that of "https://"
_MARKUP = r"(?P<block><!--[\s\S]*?(?:-->|\Z))"
_WORD_HASH = r"(?P<line>(?<!\S)#[^\n]*)"  # inside a word, "#" begins no comment

# In `hash` and `powershell`, a backslash escapes nothing between single quotes. In `haskell` and
# `lisp`, a single quote can be part of a name or begin a list.
_PATTERNS = {
    "python": rf"{_TRIPLE}|{_DOUBLE}|{_SINGLE}|(?P<line>#[^\n]*)",
    "c": rf"{_C_BLOCK}|{_C_LINE}|{_DOUBLE}|{_SINGLE}|{_BACKTICK}",
    "rust": rf"{_C_BLOCK}|{_C_LINE}|{_DOUBLE}|{_CHARACTER}",
    "css": rf"{_C_BLOCK}|{_DOUBLE}|{_SINGLE}",
    "php": rf"{_C_BLOCK}|(?P<line>(?:(?<!:)//|(?<!\S)#)[^\n]*)|{_DOUBLE}|{_SINGLE}",
    "hash": rf"{_DOUBLE}|'[^'\n]*'|{_WORD_HASH}",
    "powershell": rf"(?P<block><#[\s\S]*?(?:#>|\Z))|{_DOUBLE}|'[^'\n]*'|{_WORD_HASH}",
    "sql": rf"{_C_BLOCK}|(?P<line>--[^\n]*)|'[^']*'|{_DOUBLE}",
    "lua": rf"(?P<block>--\[\[[\s\S]*?(?:\]\]|\Z))|(?P<line>--[^\n]*)|{_DOUBLE}|{_SINGLE}",
    "haskell": rf"(?P<block>\{{-[\s\S]*?(?:-\}}|\Z))|(?P<line>--[^\n]*)|{_DOUBLE}",
    "lisp": rf"(?P<line>;[^\n]*)|{_DOUBLE}",
    # After TeX, which itself counts as prose: comments of `%`, but not that of "\%".
    "tex": r"(?P<line>(?<!\\)%[^\n]*)",
    "markup": _MARKUP,
}
_LANGUAGES = {
    "python": "python py pyi pyw starlark bzl",
    "c": "c h cpp cc cxx hpp hh objective-c objective-cpp m mm cuda-cpp csharp cs java kotlin kt "
    "kts scala swift go groovy gradle dart javascript js mjs cjs jsx javascriptreact typescript "
    "ts mts cts tsx typescriptreact jsonc json5 proto proto3 scss less zig v solidity sol",
    "rust": "rust rs",
    "css": "css",
    "php": "php",
    "hash": "shellscript sh bash zsh fish ksh ruby rb perl pl pm r yaml yml dockercompose toml "
    "makefile make mk dockerfile properties elixir ex exs julia jl nix tcl cmake terraform tf hcl "
    "graphql gql awk conf nim crystal coffeescript gitignore ignore",
    "powershell": "powershell ps1 psm1",
    "sql": "sql ada vhdl",
    "lua": "lua",
    "haskell": "haskell hs elm purescript",
    "lisp": "lisp clojure clj cljs scheme scm racket emacs-lisp el ini asm",
    "tex": "erlang erl prolog matlab octave",
    "markup": "html htm xml xhtml svg vue svelte astro xsl",
}
"""The language ids of editors and the suffixes of files, by the key of ``_PATTERNS``."""
_FAMILY = {name: family for family, names in _LANGUAGES.items() for name in names.split()}
_OPENS_ARGUMENT = "([{,=+%|&\\"
"""After one of these, a string on its own line is a value and not a docstring."""
# The markers of a comment's first line, of a line in a column of stars, and of the last line.
_HEAD = re.compile(
    r"\s*(?:[rRuU]?(?:\"\"\"|''')|/\*+!?|//+!?|#+!?|<#|<!--|--\[\[|--+|\{-|;+|%+)[ \t]?"
)
_STAR = re.compile(r"\s*\*+(?!/)(?:[ \t]|\Z)")
_TAIL = re.compile(r"(?:\"\"\"|'''|\*+/|-->|#>|\]\]|-\})\s*\Z")


class Region(NamedTuple):
    """A comment or docstring: offsets of its start and end, and ``line``, ``block`` or ``doc``."""

    start: int
    end: int
    kind: str


def words_of_comment(text: str, start: int, end: int, language: str) -> str:
    """Return the words of the comment or docstring that is selected, without comment markers.

    ``start`` and ``end`` are the offsets of the selection in ``text``. ``language`` is the editor's
    language id or the suffix of the file. Several line comments count as one comment.

    '' if the language is unknown, or if the selection contains code, no comment, several comments
    or a docstring with a doctest.
    """
    family = _FAMILY.get(language.lower().lstrip("."))
    if family is None:
        return ""
    selected = [
        region for region in regions(text, family) if region.start < end and start < region.end
    ]
    if not selected:
        return ""
    if len(selected) > 1 and any(region.kind != "line" for region in selected):
        return ""
    checked = start  # up to here, the selection contains no code
    for region in selected:
        code = text[checked : region.start]  # '' if the region begins before the selection
        if code.strip():
            return ""
        checked = region.end
    if text[checked:end].strip():
        return ""
    return _without_markers(text[start:end], selected[0].kind, with_end=selected[-1].end <= end)


def regions(text: str, family: str) -> Iterator[Region]:
    """Yield the comments and docstrings of ``text``; ``family`` is a key of ``_PATTERNS``."""
    for match in _pattern(family).finditer(text):
        kind = match.lastgroup  # None for a string, matched because it may contain "#" or "//"
        if kind == "doc" and not _is_docstring(text, match.start()):
            continue
        if kind:
            yield Region(match.start(), match.end(), kind)


@lru_cache
def _pattern(family: str) -> re.Pattern[str]:
    """Return the compiled pattern of ``family``, a key of ``_PATTERNS``."""
    return re.compile(_PATTERNS[family])


def _is_docstring(text: str, start: int) -> bool:
    """Whether the string at offset ``start`` begins its line and is not a value or argument.

    A string after a bracket, comma or operator of the lines above is a value or argument.
    """
    before = text[:start]
    line = before.rpartition("\n")[2]
    return not line.strip() and not before.rstrip().endswith(tuple(_OPENS_ARGUMENT))


def _without_markers(selected: str, kind: str, *, with_end: bool) -> str:
    """Return the text ``selected`` without comment markers; '' for a docstring with a doctest.

    ``kind`` is that of a :class:`Region`. Line comments have a marker on each line. Other comments
    have one at the start, and may have a column of stars. ``with_end``: the selection includes the
    end of the comment, where the closing marker is.
    """
    out = []
    for number, line in enumerate(selected.split("\n")):
        words = line
        if kind == "line" or number == 0:
            words = _without_start(_HEAD, words)
        if kind == "block":  # the lines of a docstring may be list items with stars
            words = _without_start(_STAR, words)
        out.append(words)
    text = "\n".join(out)
    if kind != "line" and with_end:
        text = _TAIL.sub("", text).rstrip()
    if kind == "doc" and ">>>" in text:  # a doctest is code
        return ""
    return text.strip("\n")


def _without_start(pattern: re.Pattern[str], line: str) -> str:
    """Return ``line`` without the match of ``pattern`` at its start, if there is one."""
    match = pattern.match(line)
    return line[match.end() :] if match else line
