"""The search index holds no word of a secret, in whatever field of an entry it is."""

from __future__ import annotations

import sqlite3

import pytest

from agent_memory.entries.entry_file import Entry, render
from agent_memory.entries.store import Filter
from agent_memory.recall import database
from agent_memory.recall.engine import Recall
from kit import write
from unit.secrets.generate import Maker, private_key

ULID = "01K5ZQ8V3M7Y2XB4T6N9C0DEF{}"
MAKER = Maker("index")
TOKEN = MAKER.make("ghp_{crc:30}")
NAMED = MAKER.make("{hex:32}")
PASSWORD = MAKER.make("{an:16}")
KEY = private_key(3)
ENTRIES = [
    {"summary": f"deploy with {TOKEN}"},
    {"body": f"The api_key = {NAMED} opens it.\n\npostgres://app:{PASSWORD}@10.0.0.5/prod\n"},
    {"body": f"Sign with\n\n{KEY}\n\nafterwards."},
    {"body": f"The api_key = {NAMED} again.", "tags": (TOKEN, NAMED, "deploy")},
]


@pytest.fixture
def store(tmp_path):
    files = {}
    for number, fields in enumerate(ENTRIES):
        ulid = ULID.format(number)
        entry = Entry(ulid, "global", "user", fields.get("summary", "note"), "", 1)
        body = fields.get("body", "the text")
        text = render(
            Entry(ulid, "global", "user", entry.summary, body, 1, tags=fields.get("tags", ()))
        )
        files[f"global/{ulid}.md"] = text
    return write(tmp_path / "store", files)


def contents(path) -> str:
    return b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*")).decode(
        "latin-1"
    )


def open_index(store, tmp_path) -> Recall:
    return Recall(store, tmp_path / "index.sqlite3", index_from=1)


def test_index_holds_no_word_of_a_secret(store, tmp_path):
    recall = open_index(store, tmp_path)
    assert recall.is_indexed
    found = contents(tmp_path / "index.sqlite3").lower()
    recall.close()
    assert "deploy" in found
    for value in (TOKEN, NAMED, PASSWORD, *KEY.splitlines()[1:-1]):
        for piece in (value, value[: len(value) // 2], value[len(value) // 2 :]):
            assert piece.lower().lstrip("_") not in found


def test_entry_with_a_secret_is_found_by_its_other_words(store, tmp_path):
    recall = open_index(store, tmp_path)
    assert [hit.entry.id for hit in recall.search("opens", Filter())] == [ULID.format(1)]
    assert recall.search(PASSWORD, Filter()) == []
    tagged = recall.search("", Filter(tags=("deploy",)))
    recall.close()
    assert [hit.entry.id for hit in tagged] == [ULID.format(3)]


def test_index_of_a_version_that_stored_secrets_is_rebuilt(store, tmp_path):
    path = tmp_path / "index.sqlite3"
    open_index(store, tmp_path).close()
    with sqlite3.connect(path) as old:
        old.execute("UPDATE docs SET words = ? WHERE id = 1", (f"deploy {TOKEN.lower()}",))
        old.execute("PRAGMA user_version = 2")
    old.close()
    open_index(store, tmp_path).close()
    assert database.VERSION > 2
    assert TOKEN.lower() not in contents(path).lower()
