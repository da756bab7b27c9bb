"""The parser compared with a full CommonMark parser, on generated texts and edge cases."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from agent_memory.base.text import slice_span, split_lines
from agent_memory.base.text_cache import TextCache
from agent_memory.markdown import parser
from agent_memory.markdown.line_parser import classify
from agent_memory.markdown.model import LineKind

ORACLE = MarkdownIt("commonmark", {"html": False})
COMMENTS = MarkdownIt("commonmark")

INDENTS = st.sampled_from(["", "", "", " ", "  ", "   ", "    ", "      ", "\t", " \t"])
MARKERS = st.sampled_from(
    ["- ", "* ", "+ ", "1. ", "2) ", "10. ", "-\t", "-     ", "- - ", "1. - "]
)
WORDS = st.sampled_from(
    ["text", "more words", "*", "-", "--", "---", "===", "1.", "2. b", "# x", "\\", "1998. was"]
)
BLOCKS = st.one_of(
    WORDS,
    st.builds("{}{}".format, MARKERS, WORDS),
    st.sampled_from(["# One", "## Two ##", "###", "#no", "####### seven", "# a #b", "#\tTab"]),
    st.sampled_from(
        ["```", "````", "~~~", "```py", "~~~ a `b`", "```a`b", "- ```", "1. ~~~", "``"]
    ),
    st.sampled_from(
        ["> quote", "> > deep", ">", "- > said in an item", "> - listed", "> ```", "> # h", "> ---"]
    ),
    st.sampled_from(["***", "- - -", "_ _ _", "* * *", "---", "-", "+", "1.", "", "", ""]),
)
WIDE = re.compile(r" {2,}(?:[-*+]|\d+[.)])(?:\s|$)|.*\d\d[.)](?:\s|$)|(?:[-*+]|\d+[.)]) {3,}")
LINES = st.lists(st.builds("{}{}".format, INDENTS, BLOCKS), max_size=14)


def outline(text: str) -> dict[str, list[tuple[object, ...]]]:
    """Return the blocks that the oracle finds; positions are lines."""
    out: dict[str, list[tuple[object, ...]]] = {"headings": [], "items": [], "fences": []}
    lines = text.split("\n")
    tokens = ORACLE.parse(text)
    quotes = 0
    for at, token in enumerate(tokens):
        quotes += (token.type == "blockquote_open") - (token.type == "blockquote_close")
        if quotes:  # a quotation is not part of the structure of the file
            continue
        if token.type == "heading_open" and token.level == 0:
            said = " ".join(tokens[at + 1].content.split())
            out["headings"].append((token.map[0], int(token.tag[1]), said))
        elif token.type == "list_item_open":
            start, end = token.map
            while end > start + 1 and not lines[end - 1].strip():
                end -= 1
            out["items"].append((start, end, token.markup))
        elif token.type == "fence":
            out["fences"].append((token.map[0], token.info.strip(), token.markup))
    return out


def found(text: str) -> dict[str, list[tuple[object, ...]]]:
    """Return the blocks that the parser finds, in the same form."""
    scanned = parser.scan(split_lines(text))
    return {
        "headings": [
            (item.line, item.level, " ".join(item.text.split())) for item in scanned.headings
        ],
        "items": [(item.line, item.end_line, item.marker[-1]) for item in scanned.items],
        "fences": [(item.open, item.info, item.marker) for item in scanned.fences],
    }


def wide(lines: list[str]) -> bool:
    """Whether an item is indented so far that the oracle deviates from the specification.

    markdown-it parses a line as a heading or fence although it is indented four columns or more
    from its container, if the item that it does not belong to is indented further or continues
    with a quote.
    """
    deep = any(len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip()) >= 4 for line in lines)
    return deep and any(WIDE.match(line.expandtabs(4)) or ">" in line for line in lines)


@settings(max_examples=200, deadline=None)
@given(LINES)
@example(["> quote", "", "text", "*"])
@example(["> quote", "", "Title", "---"])
@example(["> quote", "", "Title", "==="])
@example(["> quote", "", "born in", "1998. was fine"])
@example(["> - a", "", "- b", "---"])
@example(["> ```", "> quote", "text", "*"])
@example(["> ```", "> ```", "> quote", "- a"])
@example([">> ```", "> quote", "1998. was fine"])
@example(["> ```", ">> quote", "text", "*"])
@example(["*", "  > ```", "> quote", "text", "*"])
def test_headings_items_and_fences_equal_those_of_a_full_parser(lines):
    assume(not wide(lines))
    text = "\n" + "\n".join(lines) + "\n"  # a blank line, or it could be front matter
    assert found(text) == outline(text)


COMMENT_LINES = st.lists(
    st.sampled_from(
        ["<!-- one -->", "  <!-- a", "b -->", "# Title", "- item", "text", "", "```", "<!--", "-->"]
    ),
    max_size=10,
)


@settings(max_examples=100, deadline=None)
@given(COMMENT_LINES)
def test_comments_that_are_blocks_end_where_a_full_parser_ends_them(lines):
    assume("- item" not in lines or not any(line.startswith("  <!--") for line in lines))
    text = "\n" + "\n".join(lines) + "\n"
    blocks = [token.map for token in COMMENTS.parse(text) if token.type == "html_block"]
    scanned = parser.scan(split_lines(text))
    mine = [
        [item.span.line, item.span.end_line + 1]
        for item in scanned.comments
        if not text.split("\n")[item.span.line][: item.span.start].strip()
        and scanned.kinds[item.span.line] in (LineKind.COMMENT, LineKind.TEXT)
    ]
    assert mine == [[start, end] for start, end in blocks]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a <!-- b --> c <!-- d -->\n", [" b ", " d "]),
        ("a <!-- b\nc --> d\n", [" b\nc "]),
        ("a <!-- b\n\nc -->\n", []),
        ("a `<!-- b -->` c\n", []),
        ("    <!-- code -->\n", []),
        ("-     <!-- code -->\n", []),
        ("-    <!-- b -->\n", [" b "]),
        ("```\n<!-- code -->\n```\n", []),
        ("- a <!-- b -->\n", [" b "]),
        ("- <!-- b\n  c -->\n", [" b\n  c "]),
        ("# H <!-- b -->\n", [" b "]),
        ("> q <!-- b -->\n", [" b "]),
        ("<!-- never\n\nclosed\n", [" never\n\nclosed"]),
        ("<!-- a --> <!-- b\n-->\n# H\n", [" a ", " b\n"]),
    ],
)
def test_comments_are_found_outside_code(text, expected):
    comments = parser.scan(split_lines(text)).comments
    assert [item.text for item in comments] == expected
    for item in comments:
        inside = slice_span(split_lines(text), item.span)
        assert inside.startswith("<!--")
        assert inside.endswith("-->") or not item.closed


def test_each_line_has_its_kind():
    text = "---\nname: x\n---\n# H\n\n- item\n  more\n```\ncode\n```\n<!-- a\nb --> c\n<!-- d -->\n"
    kinds = parser.scan(split_lines(text)).kinds
    front, item = [LineKind.FRONT] * 3, [LineKind.ITEM, LineKind.TEXT]
    fence = [LineKind.FENCE, LineKind.CODE, LineKind.FENCE]
    comments = [LineKind.COMMENT, LineKind.TEXT, LineKind.COMMENT]
    assert kinds == [*front, LineKind.HEADING, LineKind.BLANK, *item, *fence, *comments]


RULES = "---\n{}\n---\n\n# Title\n\n- last\n"


@pytest.mark.parametrize(
    "between",
    [
        "## Rules\n\n- Use pnpm",
        "- Use pnpm\n- Note: never npm",
        "# Notes\n\nport: 8080",
        "Use pnpm here.",
        "note: x\nUse pnpm here.",
        "note: x\n- Use pnpm",
        "The port: 8080",
        "https://a.test/x",
        "  indented: x",
        "",
        "\n",
    ],
)
def test_text_between_thematic_breaks_is_not_front_matter(between: str):
    lines = split_lines(RULES.format(between))
    scanned = parser.scan(lines)
    assert scanned.front_matter is None
    assert LineKind.FRONT not in scanned.kinds
    assert [item.text for item in scanned.items][-1] == "last"
    assert len(scanned.items) == between.count("- ") + 1
    assert parser.scan(lines, mapping=False).front_matter == (0, lines.index("---\n", 1))


@pytest.mark.parametrize(
    "between",
    [
        "title: Notes",
        "name: x\n\n# a comment\ndescription: >\n  more\n  lines",
        "tags:\n- a\n- b\nalwaysApply: true",
        "'a b': 1\nglobs:",
    ],
)
def test_a_mapping_between_dashes_is_front_matter(between: str):
    lines = split_lines(RULES.format(between))
    for scanned in (parser.scan(lines), parser.scan(lines, mapping=False)):
        assert scanned.front_matter == (0, between.count("\n") + 2)
        assert [item.text for item in scanned.items] == ["last"]


@pytest.mark.parametrize(
    ("text", "close", "code_end"),
    [
        ("```\na\n```\n", 2, 2),
        ("```\na\n", None, 2),
        ("```\n\n", None, 2),
        ("- ```\n  a\nnext\n", 1, 2),  # the block ends with its item
        ("- ```\n  a\n\nnext\n", 2, 3),
        ("- ```\nnext\n", 0, 1),
        ("- ```\n  a\n  ```\nnext\n", 2, 2),
    ],
)
def test_a_fence_knows_where_its_code_ends(text, close, code_end):
    (fence,) = parser.scan(split_lines(text)).fences
    assert (fence.close, fence.code_end) == (close, code_end)


def test_tags_do_not_hide_the_list_between_them():
    scanned = parser.scan(split_lines("<rules>\n- one\n- two\n</rules>\n"))
    assert [item.text for item in scanned.items] == ["one", "two"]


def test_a_setext_heading_spans_its_whole_paragraph():
    text = "one\n  two\n===\n- x\n---\n> q\n---\nlast\n--\n"
    first, last = parser.scan(split_lines(text)).headings
    assert first == (0, 1, "one two", 0, 3)
    assert last == (7, 2, "last", 0, 2)
    assert (first.below, last.below) == (3, 9)


def test_a_paragraph_after_a_quote_can_have_an_underline():
    scanned = parser.scan(split_lines("> quote\n\ntext\n---\n"))
    assert [heading.text for heading in scanned.headings] == ["text"]


def test_columns_are_those_of_the_text():
    lines = split_lines("##  Title ##\n-\t tabbed\n10.  numbered\n")
    scanned = parser.scan(lines)
    assert lines[0][scanned.headings[0].start :].startswith("Title")
    for item in scanned.items:
        assert lines[item.line][item.start :].startswith(item.text)


@pytest.mark.parametrize(
    ("line", "starts"),
    [
        ("- - a", [2, 4]),
        ("-\t- a", [2, 4]),
        ("-\t-\ta", [2, 4]),
        ("1.\t*\t+ a", [3, 5, 7]),
        ("\t-\ta", []),
        ("-\t- ", [2, 3]),
    ],
)
def test_columns_of_nested_items_count_a_tab_as_one_character(line, starts):
    assert [item.start for item in parser.scan([line]).items] == starts
    comments = parser.scan([line.replace("a", "<!-- a -->")]).comments
    assert [comment.span.start for comment in comments] == (starts[-1:] if "a" in line else [])


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 30), LINES), min_size=2, max_size=5))
def test_a_scan_with_a_cache_equals_one_without(edits):
    lines = ["# Title", "", "- item", "## Part", "```", "code", "```", "## End"] * 3
    cache = parser.ScanCache()
    for at, new in edits:
        lines[at : at + 2] = new
        ended = [line + "\n" for line in lines]
        assert parser.scan(ended, cache=cache) == parser.scan(ended)


def test_a_full_cache_changes_no_result():
    lines = [f"{'## Part' if n % 10 == 0 else '- item'} {n}\n" for n in range(100)]
    cache = parser.ScanCache(lines=TextCache(classify, most=3))
    assert parser.scan(lines, cache=cache) == parser.scan(lines)
    assert cache.lines.size() <= 6


@settings(max_examples=100, deadline=None)
@given(LINES, st.booleans())
def test_a_byte_order_mark_hides_nothing(lines, front):
    text = ("---\nname: x\n---\n" if front else "") + "\n".join(lines) + "\n<!-- a\nb -->\n"
    plain, marked = split_lines(text), split_lines("\ufeff" + text)
    without, found = parser.scan(plain), parser.scan(marked)
    assert (found.kinds, found.fences) == (without.kinds, without.fences)
    assert found.front_matter == without.front_matter
    for kind in ("headings", "items"):
        for old, new in zip(getattr(without, kind), getattr(found, kind), strict=True):
            assert new._replace(start=old.start) == old
            assert marked[new.line][new.start :] == plain[old.line][old.start :]
    for old, new in zip(without.comments, found.comments, strict=True):
        assert slice_span(marked, new.span) == slice_span(plain, old.span)


def test_a_keystroke_scans_one_section():
    lines = [f"{'## Part' if n % 10 == 0 else '- item'} {n}\n" for n in range(1000)]
    cache = parser.ScanCache()
    before = parser.scan(lines, cache=cache)
    lines[505] = "- changed\n"
    after = parser.scan(lines, cache=cache)
    same = [old is new for old, new in zip(before.items, after.items, strict=True)]
    assert same.count(False) == 9
