"""One memory file of Claude MPM: limits hold; the newest item and prose are never removed."""

from __future__ import annotations

import sys
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.config.context import Context
from agent_memory.learnings import memory_file
from agent_memory.learnings.eviction import Evicted, Limits, NotAdded
from agent_memory.learnings.sections import items_of
from agent_memory.learnings.store import Learnings, archive_text
from kit import write

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
STAMP = "<!-- Last Updated: 2026-01-02 03:04:05 UTC | Auto-updated by: system -->"

ODD_LINES = [
    "",
    "# Mine",
    "Mine\n====",
    "## Project Architecture (Max: 15 items)",
    "## Recent Learnings",
    "## Facts",
    "- one",
    "prose",
    "<!-- MEMORY LIMITS: 8KB max | 10 sections max | 15 items per section -->",
    "<!-- MEMORY LIMITS 8KB -->",
    "<!-- MEMORY LIMITS:",
    STAMP,
    "<!-- Last Updated: today -->",
    "<!-- Last Updated",
    "-->",
    "```",
    "---",
]


def default(**changes):
    return memory_file.default_text("data_engineer", "shop", NOW, Limits(**changes))


def add(text, name, item, **changes):
    return memory_file.add(text, name, item, Limits(**changes), NOW)


def test_a_new_file_has_the_required_sections_and_no_facts():
    text = default()
    assert text.startswith(
        "# Data Engineer Agent Memory - shop\n\n"
        "<!-- MEMORY LIMITS: 8KB max | 10 sections max | 15 items per section -->\n"
        "<!-- Last Updated: 2026-01-02 03:04:05 UTC | Auto-updated by: data_engineer -->\n\n"
        "## Project Architecture (Max: 15 items)\n"
    )
    assert items_of(text) == {
        "Project Architecture": [],
        "Implementation Guidelines": [],
        "Common Mistakes to Avoid": [],
        "Current Technical Context": [],
        "Recent Learnings": [],
    }


def test_item_is_appended_to_its_section_with_the_time():
    text = add(default(), "Project Architecture", "one").text
    done = add(text, "Project Architecture", "two")
    assert "## Project Architecture (Max: 15 items)\n- one\n- two\n\n## Impl" in done.text
    assert done.text.split("\n")[done.line] == "- two"
    assert STAMP in done.text


def test_missing_section_is_created_before_recent_learnings():
    text = add(default(), "Coding Patterns Learned", "one").text
    assert "\n## Coding Patterns Learned (Max: 15 items)\n- one\n\n## Recent Learnings" in text


def test_a_full_section_loses_its_oldest_item():
    text = default()
    for number in range(15):
        text = add(text, "Project Architecture", f"fact {number}").text
    done = add(text, "Project Architecture", "fact 15")
    items = items_of(done.text)["Project Architecture"]
    assert items == [f"fact {number}" for number in range(1, 16)]
    assert [one.text for one in done.evicted] == ["- fact 0"]


@pytest.mark.parametrize("opened", ["```\ncode", "~~~", "<!-- a comment"])
@pytest.mark.parametrize("section", ["A", "B", "C"])
def test_no_item_is_added_inside_an_unclosed_block(opened, section):
    text = f"## A\n- one\n\n## B\n- two\n\n{opened}\n"
    if section != "C":
        done = add(text, section, "new")
        assert items_of(done.text)[section][-1] == "new"
        return
    with pytest.raises(NotAdded, match=r"line 7 opens a .* that is never closed"):
        add(text, section, "new")


@pytest.mark.parametrize("item", ["---", "<!-- a"])
def test_text_that_is_not_a_list_item_is_refused(item):
    with pytest.raises(NotAdded, match="would not be parsed as a list item"):
        add("## A\n- one\n## B\n- two\n", "A", item)


def test_repair_adds_no_section_inside_an_unclosed_comment():
    with pytest.raises(NotAdded, match="opens a comment"):
        memory_file.repair("# T\n\n<!-- open\n", "qa", "shop", Limits(), NOW)


def test_nested_lines_are_evicted_with_their_item():
    text = "## A\n- old\n  - detail\n- two\n"
    done = add(text, "A", "three", items=2)
    assert done.text == "## A\n- two\n- three\n"
    assert done.evicted[0].text == "- old\n  - detail"


def test_large_file_loses_recent_learnings_then_items_of_the_longest_section():
    fill = "x" * 10
    text = f"## A\nprose stays\n- a1 {fill}\n- a2 {fill}\n## B\n- b1\n"
    text += f"## Recent Learnings\n- r1 {fill}\n"
    done = add(text, "B", "new", size=len(text) - 10)
    assert [one.text for one in done.evicted] == ["- r1 xxxxxxxxxx"]
    done = add(text, "B", "new", size=len(text) - 20)
    assert [one.text for one in done.evicted] == ["- r1 xxxxxxxxxx", "- a1 xxxxxxxxxx"]
    assert "prose stays" in done.text
    assert "- new" in done.text


def test_item_is_refused_if_only_headings_could_be_removed():
    with pytest.raises(NotAdded, match=r"over its limit of 40.*Shorten them manually"):
        add("## " + "x" * 60 + "\n", "A", "new", size=40)


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ("x" * 119, "the text has 119 characters; the limit of a line is 118"),
        ("One.", r"already in line 2, under 'A'"),
    ],
)
def test_long_items_and_duplicates_are_refused(item, message):
    with pytest.raises(NotAdded, match=message):
        add("## A\n- one\n", "B", item)


def test_item_goes_to_recent_learnings_at_the_section_limit():
    text = "## A\n- one\n\n## Recent Learnings\n"
    assert add(text, "B", "two", sections=2).text == text + "- two\n"
    with pytest.raises(NotAdded, match="Merge two sections first"):
        add("## A\n\n## C\n", "B", "two", sections=2)


def test_newline_style_is_preserved():
    assert add("## A\r\n- one", "A", "two").text == "## A\r\n- one\r\n- two\r\n"


def test_repair_adds_only_what_is_missing():
    text = "## Project Architecture\n- one\n## Recent Learnings\n- two\n"
    done = memory_file.repair(text, "qa", "shop", Limits(), NOW)
    assert list(items_of(done.text)) == [
        "Project Architecture",
        "Implementation Guidelines",
        "Common Mistakes to Avoid",
        "Current Technical Context",
        "Recent Learnings",
    ]
    assert done.text.startswith("# Qa Agent Memory - shop\n\n<!-- MEMORY LIMITS")
    assert memory_file.repair(done.text, "qa", "shop", Limits(), NOW).text == done.text
    assert default() == memory_file.repair(default(), "data_engineer", "shop", Limits(), NOW).text


@pytest.mark.parametrize(
    "comments",
    [
        "<!-- MEMORY LIMITS: 8KB max -->\n<!-- Last Updated: today -->\n",
        "<!-- MEMORY LIMITS 8KB -->\n<!-- Last Updated by hand -->\n",
    ],
)
def test_repair_leaves_header_comments_of_another_form(comments):
    text = default().split("\n\n", 2)
    own = "\n\n".join([text[0], comments + "\n" + text[2]])
    done = memory_file.repair(own, "qa", "shop", Limits(), NOW)
    assert (done.text, done.notes) == (own, ())


@settings(deadline=None)
@given(st.lists(st.sampled_from(ODD_LINES), max_size=8), st.sampled_from(["\n", "\r\n"]))
def test_repair_of_a_repaired_file_changes_nothing(lines, newline):
    text = newline.join(lines)
    try:
        done = memory_file.repair(text, "qa", "shop", Limits(), NOW)
    except NotAdded:
        return
    again = memory_file.repair(done.text, "qa", "shop", Limits(), NOW)
    assert (again.text, again.notes) == (done.text, ())


@pytest.mark.parametrize("title", ["", "# Mine\n\n"])
def test_repair_preserves_a_byte_order_mark(title):
    text = f"{title}## Project Architecture\n- one\n"
    done = memory_file.repair("\ufeff" + text, "qa", "shop", Limits(), NOW)
    plain = memory_file.repair(text, "qa", "shop", Limits(), NOW)
    assert (done.text, done.notes) == ("\ufeff" + plain.text, plain.notes)


def test_new_first_section_follows_the_byte_order_mark():
    text = "\ufeff## Recent Learnings\n- one\n"
    assert add(text, "A", "two").text == (
        "\ufeff## A (Max: 15 items)\n- two\n\n## Recent Learnings\n- one\n"
    )


def test_setext_headings_are_not_sections():
    text = "# M\n\n## A\n- one\n\nA remark\n---\n- two\n"
    assert items_of(text) == {"A": ["one", "two"]}
    again = memory_file.repair("Mine\n====\n", "qa", "shop", Limits(), NOW).text
    assert again.startswith("# Qa Agent Memory - shop\n\n<!-- MEMORY LIMITS")


def test_item_that_equals_only_the_first_line_of_another_is_no_duplicate():
    text = "## A\n\n- Run make.\n  Never on Friday.\n- Run make.\n"
    assert memory_file.tidied(text, Limits()).text == text


def test_tidied_removes_duplicates_and_enforces_limits():
    text = "## A\n- one\n- two\n- One.\n- three\n"
    done = memory_file.tidied(text, Limits(items=2))
    assert done.text == "## A\n- two\n- three\n"
    assert done.notes == ("duplicate removed: - One.",)
    assert [one.text for one in done.evicted] == ["- one"]


ITEMS = st.text("abcdefgh ", min_size=3, max_size=30).map(str.strip).filter(bool)
NAMES = st.sampled_from(["A", "B", "Recent Learnings", "C"])


@settings(deadline=None)
@given(
    st.lists(st.tuples(NAMES, ITEMS), max_size=30),
    st.integers(1, 4),
    st.integers(120, 400),
    st.sampled_from(["\n", "\r\n"]),
)
def test_limits_hold_and_no_item_is_lost(adds, items, size, newline):
    limits = Limits(size=size, items=items, sections=3)
    text = newline.join(["# T", "", "prose", "", "## A", "", "more prose", ""])
    added, archived = [], []
    for name, item in adds:
        try:
            done = memory_file.add(text, name, item, limits, NOW)
        except NotAdded:
            continue
        text = done.text
        added.append(item)
        archived += [one.text[2:] for one in done.evicted]
        held = [entry for rows in items_of(text).values() for entry in rows]
        assert item in [" ".join(entry.split()) for entry in held] or " ".join(item.split()) in held
        assert len(text.encode()) <= size
        assert all(len(rows) <= items for rows in items_of(text).values())
        assert text.count("prose") == 2
    held = [entry for rows in items_of(text).values() for entry in rows]
    gone = [" ".join(entry.split()) for entry in archived]
    assert sorted(held + gone) == sorted(" ".join(item.split()) for item in added)


def test_a_section_is_found_by_its_whole_name():
    text = "## Project Architecture v2\n- one\n\n## Recent Learnings\n"
    done = add(text, "Project Architecture", "two")
    assert items_of(done.text)["Project Architecture v2"] == ["one"]
    assert items_of(done.text)["Project Architecture"] == ["two"]


def test_adding_changes_its_line_and_repairs_nothing():
    text = "# Mine\n\n## Facts\n- one\n"
    assert add(text, "Facts", "two").text == text + "- two\n"


def test_tidied_evicts_in_the_order_of_the_file_also_from_sections_of_one_name():
    names = ["Tides", "Piers", "Gauges", "Tides"]
    text = "# T\n" + "".join(
        f"\n## {name}\n- old {at}\n- new {at}\n" for at, name in enumerate(names)
    )
    done = memory_file.tidied(text, Limits(items=1))
    assert [(one.section, one.text) for one in done.evicted] == [
        (name, f"- old {at}") for at, name in enumerate(names)
    ]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_item_of_several_lines_is_archived_once(newline):
    evicted = [Evicted("Facts", "- one\n  more"), Evicted("Facts", "- two")]
    text = archive_text(f"# Archive of qa{newline}", "qa", evicted, "2026-01-02")
    assert text.count("more") == 1
    assert archive_text(text, "qa", evicted, "2026-01-02") == text


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such a name")
def test_title_of_a_project_whose_name_is_not_utf8_can_be_added(tmp_path):
    name = "shop\udce9"  # Python's form of the byte 0xE9
    folder = tmp_path / name
    write(folder, {".git/HEAD": "", ".claude-mpm/memories/qa_agent.md": "## Facts\n- one\n"})
    done = Learnings(Context(tmp_path / "home", folder)).clean("qa")
    assert done.text.startswith("# Qa Agent Memory - shop\ufffd\n")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such a name")
def test_title_and_archive_of_an_agent_whose_name_is_not_utf8_can_be_written(tmp_path):
    config = "memory:\n  limits:\n    max_items_per_section: 1\n"
    files = {".git/HEAD": "", ".claude-mpm/config.yml": config}
    folder = write(tmp_path / "shop", files) / ".claude-mpm/memories"
    name = "caf\udce9"  # Python's form of the byte 0xE9
    write(folder, {f"{name}_agent.md": "## Facts\n- one\n- two\n"})
    done = Learnings(Context(tmp_path / "home", tmp_path / "shop")).clean(name)
    assert done.text.startswith("# Caf\ufffd Agent Memory - shop\n")
    assert "Auto-updated by: system -->" in done.text
    archive = (folder / f"archive/{name}.md").read_text("utf-8")
    assert archive.startswith("# Archive of caf\ufffd\n")
