"""Formatting a snippet: bullets for prose, a fence for code."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.remember import planner
from agent_memory.remember.entry_planner import EntryTarget
from agent_memory.remember.formatting import format_snippet
from agent_memory.remember.snippet import FormattedItem, Snippet
from remember_kit import save


@pytest.mark.parametrize("language", ["", "plaintext", "text", "fundamental", "gitcommit"])
def test_prose_is_detected_by_the_language_ids_of_all_editors(language, tmp_path):
    snippet = Snippet("Install with pnpm", tmp_path / "notes.txt", language=language)
    assert format_snippet(snippet, "notes.txt:1").bullets == ("Install with pnpm",)


@pytest.mark.parametrize(
    ("text", "bullet"),
    [
        ("# Always lint first,", "Always lint first"),
        ("Really!!! ", "Really!"),
        ("> - quoted item;", "quoted item"),
        ("Lists, maps etc.", "Lists, maps etc."),
        ("The timeout has to be\n> 30 seconds", "The timeout has to be > 30 seconds"),
        ("> The timeout has\n> to be long", "The timeout has to be long"),
        ("> > Twice\n> > quoted", "Twice quoted"),
        ("2024. A good year", "2024. A good year"),
        ("We began in\n2024. A good year", "We began in 2024. A good year"),
        ("# of workers: 4", "# of workers: 4"),
        ("## of workers: 4", "of workers: 4"),
        ("Set the\n# of workers to 4", "Set the # of workers to 4"),
        ("never write `<!--` alone", "never write `<!--` alone"),
        ("a `<!--` b <!-- open", "a `<!--` b &lt;!-- open"),
        ("a ``` b ``` c", "a ``` b ``` c"),
        ("First. Second.", "First. Second."),
        ("a <!-- open", "a &lt;!-- open"),
        ("a ``` b", "a `` b"),
    ],
)
def test_markers_and_punctuation_are_stripped(text, bullet):
    assert format_snippet(Snippet(text)).bullets == (bullet,)


def test_only_item_numbers_of_a_selected_list_are_removed():
    text = "1. Install\n2. In\n   2024. A good year\n3) Run\n"
    assert format_snippet(Snippet(text)).bullets == ("Install", "In 2024. A good year", "Run")


def test_numbered_list_stays_one_list():
    item = format_snippet(Snippet("3. Export the ledger.\n4. Close the month\n"))
    assert item.text == "1. Export the ledger\n2. Close the month"
    assert not format_snippet(Snippet("1. Export\n- Close\n")).numbered
    assert format_snippet(Snippet("> - one\n> - two\n")).bullets == ("one", "two")


def test_selected_list_stays_a_list():
    assert format_snippet(Snippet("- one\n  more\n- two\n")).bullets == ("one more", "two")


def test_lone_surrogate_becomes_the_replacement_character(ctx):
    assert "- x\ufffdy\n" in save(ctx, "x\ud83dy")


def test_lone_surrogate_in_a_heading_or_an_entry_becomes_the_replacement_character(ctx):
    assert "## Sec\ufffdtion\n" in save(ctx, "Prefer tabs", section="Sec\ud83dtion")
    plan = planner.plan(ctx, Snippet("Bad \ud83d half"), EntryTarget(), create=True)
    planner.apply(plan)
    assert plan.path.read_text("utf-8").endswith("\nBad \ufffd half\n")


def test_path_that_is_not_utf8_has_replacement_characters(tmp_path):
    path = tmp_path / "caf\udce9.p\udce9"  # Python's form of the byte 0xE9
    code = format_snippet(Snippet("x = 1", path), "caf\udce9.p\udce9:1").block
    assert code == "`caf\ufffd.p\ufffd:1`\n\n```p\ufffd\nx = 1\n```"


@pytest.mark.parametrize("language", ["", "python"])
def test_text_of_only_a_period_gives_no_item(language):
    assert format_snippet(Snippet("# .", language=language)) == FormattedItem()


def test_selected_comment_is_prose(tmp_path):
    text = "    # Sort by id first:\n    # the index needs it."
    item = format_snippet(Snippet(text, tmp_path / "a.py", 1, 2, "python"))
    assert item.bullets == ("Sort by id first: the index needs it",)


MARKS = st.sampled_from(["--", "//", "#", ";", "%", "*/", "*", "/*", "-->", "rem", "C#", "a--b"])


WORDS = st.lists(MARKS | st.from_regex(r"[a-z:;%#/*.,-]{1,9}", fullmatch=True))


@given(
    st.sampled_from(["# {}", "// {}", "-- {}", "; {}", " * {}", "/* {} */", "<!-- {} -->"]),
    st.lists(WORDS, min_size=1),
)
def test_comment_text_is_complete(comment, rows):
    lines = [" ".join(["Say", *words, "so"]) for words in rows]
    selected = "\n".join(map(comment.format, lines))
    assert format_snippet(Snippet(selected, language="c")).bullets == (" ".join(lines),)


def test_end_of_block_comment_is_removed():
    text = "/**\n * Pass --no-cache, see https://a.test/x\n * and more **/\n"
    item = format_snippet(Snippet(text, language="typescript"))
    assert item.bullets == ("Pass --no-cache, see https://a.test/x and more",)


def test_rem_is_a_comment_only_in_batch_files(tmp_path):
    code = format_snippet(Snippet("rem = a % b", language="python"))
    assert code.block == "```python\nrem = a % b\n```"
    assert format_snippet(Snippet("REM Set it", tmp_path / "a.cmd")).bullets == ("Set it",)


@pytest.mark.parametrize(
    ("selected", "block"),
    [
        ("Build:\n```sh\nmake", "Build:\n```sh\nmake\n```"),
        ("~~~~\nmake\n~~~", "~~~~\nmake\n~~~\n~~~~"),
        ("- Build:\n\n  ```\n  make", "- Build:\n\n  ```\n  make\n  ```"),
        ("- a\n- ```\n  make", "- a\n- ```\n  make\n  ```"),
        ("```\na\n```\n<!-- b\n\nc", "```\na\n```\n<!-- b\n\nc -->"),
    ],
)
def test_partly_selected_block_is_closed(ctx, selected, block):
    assert format_snippet(Snippet(selected)).block == block
    planner.apply(planner.plan(ctx, Snippet(selected), "project", section="Commands"))
    assert save(ctx, "Spaces", section="Style").endswith("\n\n## Style\n\n- Tabs\n- Spaces\n")


def test_selected_block_keeps_its_tabs():
    text = "\tBuild:\n\t```make\n\tall:\n\t\tcc a.c\n\t```\n"
    assert format_snippet(Snippet(text)).block == "Build:\n```make\nall:\n\tcc a.c\n```"


def test_code_is_fenced_below_its_origin(ctx):
    snippet = Snippet("    x = 1\n    y = '''```'''\n", ctx.cwd / "src" / "a.py", 9, 10, "python")
    plan = planner.plan(ctx, snippet, "project", section="Commands")
    planner.apply(plan)
    block = "`src/a.py:10-11`\n\n````python\nx = 1\ny = '''```'''\n````\n"
    assert f"- Run `make test`\n\n{block}\n## Style" in plan.path.read_text()


def test_origin_outside_home_is_absolute(ctx, tmp_path):
    origin = tmp_path / "elsewhere" / "a.ts"
    plan = planner.plan(ctx, Snippet("let a = 1", origin, 3), "user")
    assert f"`{origin.as_posix()}:4`" in plan.item


def test_origin_without_line_has_no_line_suffix(ctx):
    plan = planner.plan(ctx, Snippet("let a = 1", ctx.cwd / "src" / "a.ts"), "project")
    assert "`src/a.ts`\n" in plan.item


def test_origin_in_user_memory_starts_at_home(ctx):
    origin = ctx.home / "work" / "a.ts"
    plan = planner.plan(ctx, Snippet("let a = 1", origin, 3), "user")
    assert "`~/work/a.ts:4`\n\n```ts\nlet a = 1\n```\n" in plan.creates[0][1]
