"""What Claude Code keeps of a file, and which imports it finds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.runtimes.agents import claude_markdown, claude_text
from agent_memory.runtimes.agents.claude_text import parse

MARKUP = st.lists(
    st.sampled_from(
        ["<!--", "-->", "\n", "\r\n", "@a.md", " ", "- ", "> ", "```\n", "    ", "---\n", "x", "\0"]
    ),
    max_size=40,
).map("".join)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("---\na: b\n---\ntext", "text"),
        ("\ufeff---\na: b\n---\ntext", "text"),
        ("---\nnever closed", "---\nnever closed"),
        ("a\n<!-- c -->\n\nb", "a\nb"),
        ("a\r\n<!-- c -->\r\nb\r\n", "a\nb"),
        ("a\r\nb", "a\r\nb"),
        ("<!-- c --> rest\n", "rest"),
        ("a <!-- c --> b", "a <!-- c --> b"),
        ("```\n<!-- c -->\n```", "```\n<!-- c -->\n```"),
        ("x\n\n    <!-- c -->", "x\n\n    <!-- c -->"),
        ("- a\n  <!-- c -->\n", "- a\n  <!-- c -->"),
        ("a\n  <!-- c -->\n", "a\n  <!-- c -->"),
        ("<!-- never closed\n\nb", "<!-- never closed\n\nb"),
        ("\ufeff<!-- c -->\nb", "<!-- c -->\nb"),
        ("<!-- only -->", ""),
        ("<!-- a\nplain --> words\n", "words"),
        ("<!-- a\nplain -->\nb\n", "b"),
        ("- a\n  <!-- b\n\n c -->\n", "- a\n  <!-- b\n\n c -->"),
        ("```\n<!-- c -->\nplain\n```", "```\n<!-- c -->\nplain\n```"),
        ("- a\n</div>\n<!-- c -->\nend", "- a\n</div>\nend"),
        ("- a\n\n</div>\n<!-- c -->\nend", "- a\n\n</div>\n<!-- c -->\nend"),
        ("- a\n  <!-- b -->\nc\n\n  <!-- d -->\ne", "- a\n  <!-- b -->\nc\n\n  <!-- d -->\ne"),
        ("- a\n  <!-- b -->\n> c\n\n  <!-- d -->", "- a\n  <!-- b -->\n> c\n\n  <!-- d -->"),
        ("- a\n\n  <!-- b\n c -->\n\n  <!-- d\n\n e -->\nf", "- a\n\n  <!-- b\n c -->\n\nf"),
        ("- a\n  <!-- b -->\n# c\n<!-- d -->", "- a\n  <!-- b -->\n# c"),
        ("p\n<!-- a\nb -->\nx\n===", "p\n<!-- a\nb -->\nx\n==="),
        ("p\n<!-- a -->\nx\n===", "p\nx\n==="),
        ("p\n\n<!-- a\nb -->\nx\n===", "p\n\nx\n==="),
    ],
)
def test_front_matter_and_comment_blocks_are_dropped(text, kept):
    assert parse(text).body == kept


@pytest.mark.parametrize(
    ("text", "imports"),
    [
        ("@a.md", ("a.md",)),
        ("see @./a.md and @../b.md, @~/c.md @/d.md", ("./a.md", "../b.md,", "~/c.md", "/d.md")),
        ("@a\\ b.md @c.md#part", ("a b.md", "c.md")),
        ("**@a.md** _@b.md_ [@c.md](x)", ("a.md", "b.md", "c.md")),
        ("\\*@a.md", ("a.md",)),
        ("`@a.md` a@b.md (@c.md) @@d.md @#e.md @", ()),
        ("```\n@a.md\n```\n\n    @b.md\n\n<!-- @c.md -->\n\n<div>\n@d.md\n</div>", ()),
        ("<!-- @a.md --> @b.md", ("b.md",)),
        ("- `see @a.md`", ("a.md`",)),
        ("`see @a.md`", ()),
        ("- a\n</div>\n@a.md x\n<!-- c -->\n@b.md", ("b.md",)),
        ("- a\n</rules>\n@a.md", ("a.md",)),
        ("---\nx: '@a.md'\n---\n@b.md", ("b.md",)),
    ],
)
def test_imports_are_found_in_text(text, imports):
    assert parse(text).imports == imports


@pytest.mark.parametrize(
    ("front", "paths"),
    [
        ("paths: src/**", ("src",)),
        ('paths: "**/*"', ("**/*",)),
        ('paths: ["*.py", "a/{b,c}.ts"]', ("*.py", "a/{b,c}.ts")),
        ("paths: a.md, {b,c}.md", ("a.md", "{b,c}.md")),
        ("paths: [unclosed", ("[unclosed",)),
        ("paths: [unclosed\r", None),
        ('paths: "**"', None),
        ("paths: []", None),
        ("paths: 3", None),
        ("globs: src/**", None),
        ("", None),
    ],
)
def test_paths_make_a_rule_conditional(front, paths):
    assert parse(f"---\n{front}\n---\ntext").paths == paths


@given(MARKUP)
def test_pieces_are_lines_of_the_file(text):
    """Every kept piece is found in the file, at its line."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for piece, line in parse(text).pieces:
        first = piece.replace("\r\n", "\n").replace("\r", "\n").split("\n")[0]
        assert first in lines[line]


@given(MARKUP, st.sampled_from(["word", "Two words, here: (a-b)?", "x"]))
def test_plain_words_do_not_change_the_structure(text, words):
    """What the cache leaves out does not matter."""
    filled = text.replace("x", words)
    whole = claude_markdown._structure.__wrapped__(claude_text._NEWLINE.sub("\n", filled))
    assert claude_markdown.structure(claude_text._NEWLINE.sub("\n", filled)) == whole


def test_typing_plain_words_does_not_parse_again(monkeypatch):
    parse("- @a.md\n- some words\n")
    monkeypatch.setattr(claude_markdown, "_parser", lambda: pytest.fail("parsed"))
    assert parse("- @a.md\n- some more words\n").imports == ("a.md",)
