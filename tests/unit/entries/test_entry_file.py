"""Entry files: what drover parses or skips, and the bytes it writes."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agent_memory.entries.entry_file import (
    Entry,
    EntryPlace,
    Skipped,
    parse,
    render,
)

ID = "01K5ZQ8V3M7Y2XB4T6N9C0DEFG"
PLACE = EntryPlace("agent", agent="scribe")
LINES = {
    "id": ID,
    "scope": "global",
    "kind": "project",
    "summary": "use tabs",
    "createdAt": "1755500000000",
}


def file(*, body="Tabs.\n", **changes):
    lines = {key: value for key, value in {**LINES, **changes}.items() if value is not None}
    return "---\n" + "".join(f"{key}: {value}\n" for key, value in lines.items()) + f"---\n\n{body}"


READ = {
    "usual": (file(), {}),
    "CRLF": (file().replace("\n", "\r\n"), {}),
    "scope of the folder by default": (file(scope=None), {"scope": "agent"}),
    "the front matter's scope wins over the folder": (
        file(scope="run", runId="r1"),
        {"scope": "run", "run": "r1"},
    ),
    "a date gives its year": (file(createdAt="2025-08-12T10:00:01Z"), {"created": 2025}),
    "a number in quotes": (file(createdAt='"1755500000000"'), {}),
    "tags that are not a list": (file(tags="foo"), {"tags": ()}),
    "a number among the tags": (file(tags="[a, 1]"), {"tags": ()}),
    "tags in one line": (file(tags="[a, 'b c']"), {"tags": ("a", "b c")}),
    "an unknown key": (file(pinned="true"), {"extra": "pinned: true\n"}),
    "a fence in the body": (file(body="x\n---\ny: z\n---\nw\n"), {"body": "x\n---\ny: z\n---\nw"}),
    "an empty body": (file(body=""), {"body": ""}),
    "an updatedAt in quotes": (file(updatedAt='"5"'), {"updated": None}),
    "a summary over 200": (file(summary="s" * 250), {"summary": "s" * 250}),
    "spaces after the fences": (file().replace("---\n", "---  \n"), {}),
    "yes is text": (file(summary="yes"), {"summary": "yes"}),
    "a folded summary": (file(summary="use\n  tabs"), {}),
}  # fmt: skip

SKIPPED = {
    "a byte order mark": ("\ufeff" + file(), "byte order mark"),
    "no front matter": ("# just text\n", "no front matter"),
    "never closed": (file().replace("---\n\n", ""), "not closed"),
    "two colons": (file(summary="a: b: c"), "cannot be parsed"),
    "a key twice": (file().replace("kind:", "kind: user\nkind:"), "duplicate key 'kind'"),
    "an unknown kind": (file(kind="fact"), "its kind"),
    "an unknown scope": (file(scope="team"), "its scope"),
    "a lowercase id": (file(id=ID.lower()), "not a ULID"),
    "a number as summary": (file(summary="123"), "its summary"),
    "an empty summary": (file(summary='""'), "its summary"),
    "a blank line first": ("\n" + file(), "blank line"),
    "a number as id": (file(id="12345678901234567890123456"), "not a ULID"),
    "empty front matter": ("---\n---\nbody\n", "empty or not closed"),
    "closed by dots": (file().replace("---\n\n", "...\n\n"), "not closed"),
    "no createdAt": (file(createdAt=None), "createdAt"),
}


@pytest.mark.parametrize("name", READ)
def test_entry_is_parsed_as_by_drover(name):
    text, changes = READ[name]
    entry = parse(text, PLACE)
    expected = {
        "id": ID,
        "scope": "global",
        "kind": "project",
        "summary": "use tabs",
        "body": "Tabs.",
        "created": 1755500000000,
        "agent": "scribe",
        **changes,
    }
    assert {key: getattr(entry, key) for key in expected} == expected


@pytest.mark.parametrize("name", SKIPPED)
def test_skipped_file_has_a_reason(name):
    text, reason = SKIPPED[name]
    with pytest.raises(Skipped, match=reason):
        parse(text, PLACE)


def test_rendered_bytes_are_those_of_drover():
    entry = Entry(
        ID,
        "run",
        "feedback",
        '- say "when" # you do',
        "  Rule.\n\n**Why:** so\n\n",
        1755500000000,
        "scribe",
        "run-7",
        ("yes", "1.0", "null", "two words"),
        1755500001000,
    )
    assert render(entry) == (
        f"---\nid: {ID}\nscope: run\nkind: feedback\nsummary: '- say \"when\" # you do'\n"
        "createdAt: 1755500000000\nagentId: scribe\nrunId: run-7\ntags:\n  - yes\n"
        '  - "1.0"\n  - "null"\n  - two words\nupdatedAt: 1755500001000\n---\n\n'
        "Rule.\n\n**Why:** so\n"
    )


def test_unknown_keys_survive_a_rewrite():
    extra = "# kept by hand\npinned: true\nlinks:\n  - a\n  - b: c\nnote: |\n  two\n\n  lines\n"
    text = file().replace("---\n\n", extra + "---\n\n")
    entry = parse(text, EntryPlace("global"))
    assert entry.extra == extra
    assert parse(render(entry), EntryPlace("global")) == entry


@pytest.mark.parametrize(
    "extra",
    [
        "foo: [a,\nb]\n",
        "foo: {a: 1,\nid: 2,\n# why\n  bar: 3\n}\n",
        "foo: 'a\nb'\n",
        'foo: "a\n\nid: b"\nbar: 1\n',
        '"foo": "a\nb: c\nkind: d"\n',
        "? foo\n: bar\n",
        "# one\n\n  # two\nfoo: 1\n",
    ],
)
@pytest.mark.parametrize("before", ["kind: project\n", "createdAt: 1755500000000\n"])
def test_lines_of_an_unknown_key_in_the_first_column_survive_a_rewrite(extra, before):
    entry = parse(file().replace(before, before + extra), EntryPlace("global"))
    assert entry.extra == extra
    assert parse(render(entry), EntryPlace("global")) == entry


@pytest.mark.parametrize(
    ("known", "extra"),
    [
        ("tags:\n  - a\n# why\n  - b\n", "# why\n"),
        ("tags: [a,\n# why\n  b]\n", "# why\n"),
        ("tags: [a,\n# why\nb]\nfoo: 1\n", "# why\nfoo: 1\n"),
        ('updatedAt: "5\nfoo: b"\nfoo: c\n', "foo: c\n"),
    ],
)
def test_lines_of_a_known_key_are_not_those_of_an_unknown_one(known, extra):
    text = file().replace("---\n\n", known + "---\n\n")
    entry = parse(text, EntryPlace("global"))
    assert entry.extra == extra
    assert parse(render(entry), EntryPlace("global")) == entry


TEXT = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=120).filter(
    str.strip
)


ODD = st.sampled_from(
    [*"a1 :#-'[&\"\\", *"\n\t\r\0\a\x1b\x7f\x85\x9f\xa0\u2028\u2029\ufeff\ufffe", "\U0001f600"]
)
ODD_TEXT = st.lists(ODD, min_size=1, max_size=12).map("".join).filter(str.strip)
EXTRA = st.sampled_from(["", "pinned: true\n", "links: [1, {a: b}]\n", "# by hand\n"])


@settings(deadline=None)
@example("a\x7fb", "one\r\ntwo", ["\n"], "")
@example('-a:\u2028"\tba', "b", ["", "\\1"], "links: [1]\n")
@given(TEXT | ODD_TEXT, TEXT, st.lists(TEXT | ODD | ODD_TEXT, max_size=3), EXTRA)
def test_render_parse_render_is_byte_stable(summary, body, tags, extra):
    entry = Entry(ID, "global", "user", summary, body, 5, tags=tuple(tags), extra=extra)
    written = render(entry)
    again = parse(written, EntryPlace("global"))
    assert (again.summary, again.tags, again.extra) == (summary, tuple(tags), extra)
    assert render(again) == written
