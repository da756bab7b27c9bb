"""The document store against a simple model of LSP's edits."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.base.text import split_lines
from agent_memory.fs.overlay import Store
from agent_memory.lsp.workspace.documents import Document, Documents

PIECES = [
    "a",
    "b ",
    "\n",
    "\r\n",
    "\r",
    "\u2028",
    "\x0c",
    "\x0b",
    "\x85",
    "\xe4",
    "\u4e2d",
    "\U0001f600",
    "\ud800",
]
TEXT = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
PLACE = st.tuples(st.integers(0, 9), st.integers(0, 12))
ENCODINGS = ("utf-8", "utf-16", "utf-32")


def offset(text: str, place: tuple[int, int], encoding: str) -> int:
    """Return the offset of a position, straight from the specification."""
    starts = [0, *(match.end() for match in re.finditer("\r\n|\n|\r", text))]
    line, units = place
    if line >= len(starts):
        return len(text)
    at = starts[line]
    end = starts[line + 1] if line + 1 < len(starts) else len(text)
    while at < end and text[at] not in "\r\n":
        width = {
            "utf-8": len(text[at].encode("utf-8", "surrogatepass")),
            "utf-16": 1 + (text[at] > "\uffff"),
            "utf-32": 1,
        }[encoding]
        if units < width:
            break
        units -= width
        at += 1
    return at


def as_range(first: tuple[int, int], last: tuple[int, int]) -> dict:
    start, end = sorted((first, last))
    return {
        "start": {"line": start[0], "character": start[1]},
        "end": {"line": end[0], "character": end[1]},
    }


@pytest.mark.parametrize("encoding", ENCODINGS)
@settings(max_examples=175, deadline=None)
@given(start=TEXT, edits=st.lists(st.tuples(PLACE, PLACE, TEXT), min_size=3, max_size=7))
def test_no_edit_corrupts_the_document(encoding, start, edits):
    document = Document("untitled:a", start, 1)
    model = start
    for one, other, new in edits:
        first, last = sorted((one, other))
        low, high = offset(model, first, encoding), offset(model, last, encoding)
        model = model[:low] + new + model[max(low, high) :]
        document.apply({"range": as_range(first, last), "text": new}, encoding)
        assert document.text == model
        assert document.lines == split_lines(model)


def test_position_past_the_end_is_clamped():
    document = Document("untitled:a", "one\ntwo", 1)
    document.apply({"range": as_range((9, 9), (10, 0)), "text": "!"}, "utf-16")
    assert document.text == "one\ntwo!"


def test_change_without_range_replaces_the_text():
    document = Document("untitled:a", "one\ntwo", 1)
    document.apply({"text": "three\r\n"}, "utf-16")
    assert document.lines == ["three\r\n"]


@pytest.mark.parametrize("change", [{}, {"text": 5}, {"text": "", "range": {"start": {}}}])
def test_malformed_change_leaves_the_document_unchanged(change):
    document = Document("untitled:a", "one\n", 1)
    with pytest.raises((KeyError, TypeError)):
        document.apply(change, "utf-16")
    assert document.text == "one\n"


def test_open_document_overlays_the_disk(tmp_path: Path):
    path = tmp_path / "agent.md"
    path.write_text("on disk\n")
    store = Store()
    documents = Documents(store)
    documents.open(Document(path.as_uri(), "in the editor\n", 1))
    assert store.read(path).lines == ["in the editor\n"]
    documents.close(path.as_uri())
    assert store.read(path).text == "on disk\n"


def test_document_opened_through_a_symlink_overlays_the_real_file(tmp_path: Path):
    real = tmp_path / "real.md"
    real.write_text("on disk\n")
    link = tmp_path / "agent.md"
    link.symlink_to(real)
    store = Store()
    documents = Documents(store)
    documents.open(Document(link.as_uri(), "in the editor\n", 1))
    assert (store.read(real).text, store.read(link).text) == ("in the editor\n",) * 2
    assert (store.read(real).symlink, store.read(link).symlink) == (False, True)


@pytest.mark.parametrize("closed", [0, 1])
def test_file_open_under_two_names_keeps_its_overlay(tmp_path: Path, closed: int):
    real = tmp_path / "real.md"
    real.write_text("on disk\n")
    link = tmp_path / "agent.md"
    link.symlink_to(real)
    store = Store()
    documents = Documents(store)
    opened = [
        Document(path.as_uri(), f"in {path.name}\n", 1)
        for path in ((link, real) if closed else (real, link))
    ]
    for document in opened:
        documents.open(document)
    documents.close(opened[closed].uri)
    left = opened[1 - closed]
    assert store.read(real).text == left.text
    assert store.read(link).text == (left.text if left.path == link else "on disk\n")
    left.apply({"text": "typed\n"}, "utf-16")
    assert store.read(real).text == "typed\n"
    documents.close(left.uri)
    assert (store.read(real).text, store.read(link).text) == ("on disk\n",) * 2


def test_content_is_one_object_until_the_next_edit(tmp_path: Path):
    path = tmp_path / "agent.md"
    document = Document(path.as_uri(), "a\nb\n", 1)
    content = document.content(path)
    assert document.content(path) is content
    document.apply({"text": "c", "range": as_range((0, 0), (0, 1))}, "utf-16")
    assert content.lines == ["a\n", "b\n"]
    assert document.content(path).lines == ["c\n", "b\n"]
    assert document.content(path).size == 4
