"""Recall: drover's documented ranking, every script, filters and limits."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.entries.entry_file import render
from agent_memory.entries.markdown_store import MarkdownEntries
from agent_memory.entries.store import Filter
from agent_memory.entries.validation import Draft, EntryError
from agent_memory.language.tokenize import words
from agent_memory.recall.engine import Recall
from entry_kit import (
    VOCABULARY,
    drover_search,
    drover_words,
    indexed,
    on_disk,
    random_entries,
)
from kit import github_token
from timing import growth


@pytest.fixture(params=["in memory", "on disk"])
def opened(request, tmp_path):
    """Return a function that opens the search of a folder, with its index in memory or on disk."""
    if request.param == "in memory":
        return Recall
    return lambda root: indexed(root, tmp_path / "index.sqlite3")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_the_ranking_is_the_documented_one(tmp_path, opened, seed):
    rng = random.Random(seed)
    entries = random_entries(rng, 120)
    recall = opened(on_disk(tmp_path / "store", entries))
    for _ in range(20):
        query = " ".join(rng.choices(VOCABULARY, k=rng.randint(1, 5)))
        expected = drover_search(entries, query)[:10]
        hits = recall.search(query, by="drover")
        assert [hit.entry.id for hit in hits] == [entry_id for entry_id, _ in expected]
        assert [hit.score for hit in hits] == pytest.approx([score for _, score in expected])
        scores = dict(drover_search(entries, query))
        for hit in recall.search(query):
            assert hit.score == pytest.approx(scores.get(hit.entry.id, 0.0))


@given(st.text(st.characters(codec="ascii"), max_size=80))
def test_ascii_words_are_drovers(text):
    assert words(text) == drover_words(text)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("用户喜欢简短的回答", "用户"),
        ("用户喜欢简短的回答", "简短"),
        ("猫", "猫"),
        ("メモリを更新する", "更新"),
        ("El café está abierto", "CAFE"),
        ("Straße sperren", "strasse"),
        ("Настройка сервера", "НАСТРОЙКА"),
        ("hot-reload works", "reload"),
        ("ภาษาไทย", "ไทย"),
        ("한국어 문서", "문서"),
    ],
)
def test_every_script_is_found(tmp_path, opened, text, query):
    store = MarkdownEntries(tmp_path / "store")
    store.put(Draft("global", "project", "x", text))
    store.put(Draft("global", "project", "y", "something else"))
    assert [hit.entry.body for hit in opened(store.root).search(query)] == [text]


def test_filters_keep_others_entries_away(tmp_path, opened):
    store = MarkdownEntries(tmp_path / "store")
    store.put(Draft("global", "user", "deploy all", "b", tags=("Ops",)))
    store.put(Draft("agent", "project", "deploy mine", "b", "a"))
    store.put(Draft("agent", "project", "deploy theirs", "b", "b"))
    store.put(Draft("run", "project", "deploy now", "b", "a", "r1"))
    recall = opened(store.root)

    def found(**options):
        return sorted(hit.entry.summary for hit in recall.search("deploy", Filter(**options)))

    assert found() == ["deploy all"]
    assert found(agent="a") == ["deploy all", "deploy mine"]
    assert found(agent="b", run="r1") == ["deploy all", "deploy theirs"]
    assert found(agent="a", run="r1") == ["deploy all", "deploy mine", "deploy now"]
    assert found(agent="a", scopes=("agent",)) == ["deploy mine"]
    assert found(agent="a", kinds=("user",)) == ["deploy all"]
    assert found(agent="a", tags=("ops", "none")) == ["deploy all"]


def test_empty_query_lists_latest_first(tmp_path, opened):
    recall = opened(on_disk(tmp_path / "store", random_entries(random.Random(1), 30)))
    assert [hit.entry.created for hit in recall.search(" ", limit=3)] == [29, 28, 27]


def test_query_of_stop_words_finds_nothing(tmp_path, opened):
    assert (
        opened(on_disk(tmp_path / "store", random_entries(random.Random(1), 9))).search("the of")
        == []
    )


def test_tags_of_filtered_entries_do_not_change_scores(tmp_path, opened):
    store = MarkdownEntries(tmp_path / "store")
    store.put(Draft("global", "user", "deploy", "b", tags=("deploy",)))
    plain = store.put(Draft("global", "project", "deploy", "b"))
    (hit,) = opened(store.root).search("deploy", Filter(kinds=("project",)))
    alone = MarkdownEntries(tmp_path / "alone")
    alone.put(Draft("global", "project", "deploy", "b", id=plain.id))
    assert (hit.score, hit.relevance) == (
        (only := Recall(alone.root).search("deploy")[0]).score, only.relevance
    )  # fmt: skip


def test_longest_body_is_searched_to_its_end(tmp_path, opened):
    body = "\U0001f600" * 17_000 + " tail"
    store = MarkdownEntries(tmp_path / "store")
    store.put(Draft("global", "reference", "long", body))
    (hit,) = opened(store.root).search("tail")
    assert len(body.encode()) > 65536
    assert hit.entry.body == body


@pytest.mark.parametrize(
    ("query", "limit", "message"),
    [
        ("x" * 501, 10, r"query must be at most 500 chars \(got 501\)"),
        ("x", 0, r"limit must be 1-50 \(got 0\)"),
        ("x", 51, r"\(got 51\)"),
    ],
)
def test_limits_are_named(tmp_path, query, limit, message):
    with pytest.raises(EntryError, match=message):
        Recall(tmp_path).search(query, limit=limit)


def test_no_secret_enters_the_index(tmp_path):
    token = github_token(8)
    store = MarkdownEntries(tmp_path / "store")
    entry = store.put(Draft("global", "user", "alpha", "the body", tags=("ops", "tag")))
    text = render(entry).replace("alpha", f"alpha {token}").replace("the body", f"token={token}")
    entry.path.write_text(text.replace("- tag", f"- {token}"))
    recall = indexed(store.root, tmp_path / "index.sqlite3")
    assert len(recall.search("alpha")) == len(recall.search("", Filter(tags=("ops",)))) == 1
    assert recall.search(token) == recall.search("", Filter(tags=(token,))) == []
    recall.close()
    stored = b"".join(path.read_bytes() for path in tmp_path.glob("index.sqlite3*"))
    assert token.lower().encode() not in stored.lower()
    assert token[-12:].lower().encode() not in stored.lower()


def test_relevance_orders_and_marks(tmp_path, opened):
    store = MarkdownEntries(tmp_path / "store")
    for summary in ("Deploys are on Monday", "Tests run in CI", "Coffee is on floor two"):
        store.put(Draft("global", "project", summary, "More about it."))
    store.put(Draft("global", "project", "Backups", "They are kept before deploys on Monday."))
    recall = opened(store.root)
    hits = recall.search("deploying on Mondays")
    assert [hit.entry.summary for hit in hits] == ["Deploys are on Monday", "Backups"]
    assert 1 >= hits[0].relevance > hits[1].relevance > 0
    assert hits[0].relevant
    assert not any(hit.relevant for hit in recall.search("monday train tickets for a wedding"))


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Deploys happen on Monday", "deploying"),
        ("Use `HttpClientFactory`", "client factory"),
        ("Use `merge_carts()` at login", "merge carts"),
        ("Der Urlaubsantrag ist grün", "Urlaub"),
        ("Remote access is by WireGuard", "wiregaurd"),
        ("Rechnungen gehen per Post", "Rechnung"),
        ("配置文件在主目录", "配置"),
        ("Delete the branch after a merge", "remove branches"),
    ],
)
def test_forms_parts_typos_and_synonyms_are_found(tmp_path, opened, text, query):
    store = MarkdownEntries(tmp_path / "store")
    store.put(Draft("global", "project", "x", text))
    store.put(Draft("global", "project", "y", "quite another matter"))
    [hit] = opened(store.root).search(query)
    assert (hit.entry.body, hit.relevant) == (text, True)


@pytest.mark.slow
@pytest.mark.parametrize("char", ["a", "A", "aA", "中", "a_", "é"])
def test_hostile_text_is_indexed_in_linear_time(tmp_path, char):
    def search(size):
        recall = Recall(tmp_path / f"{size}")
        assert len(recall.search("alpha")) == 1
        recall.search(char * 50)

    for size in (8_000, 64_000):
        store = MarkdownEntries(tmp_path / f"{size}")
        store.put(Draft("global", "reference", "alpha", (char * size)[:size]))
    assert growth(lambda: search(8_000), lambda: search(64_000), enough=16, offset=0.005) <= 16


def test_very_long_word_is_found_only_as_a_whole(tmp_path, opened):
    store = MarkdownEntries(tmp_path / "store")
    store.put(Draft("global", "reference", "alpha", "x" * 100))
    recall = opened(store.root)
    assert len(recall.search("x" * 100)) == 1
    assert recall.search("x" * 60) == []
