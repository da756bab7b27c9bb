"""Recall finds the right entries of tests/recall/set.json, and says when it found none."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[3] / "benchmarks" / "recall_quality.py"
_SPEC = importlib.util.spec_from_file_location("recall_quality", SCRIPT)
recall_quality = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(recall_quality)


@pytest.fixture(scope="module")
def data():
    return json.loads(recall_quality.SET.read_text("utf-8"))


@pytest.fixture(scope="module")
def quality(data):
    with recall_quality.product(data) as search:
        return recall_quality.measure(data, search)


def test_set_is_large_and_names_existing_entries(data):
    known = {item["id"] for item in data["entries"]}
    assert len(known) == len(data["entries"]) >= 200
    assert len(data["queries"]) >= 150
    assert {name for query in data["queries"] for name in query["right"]} <= known
    assert sum(not query["right"] for query in data["queries"]) >= 15


def test_right_entries_are_found(quality):
    assert quality["all"].recall >= 0.91
    assert quality["all"].mrr >= 0.87


@pytest.mark.parametrize("kind", ["keyword", "wordform", "identifier"])
def test_words_and_their_forms_are_found(quality, kind):
    assert quality[kind].recall >= 0.97


def test_other_languages_are_found(quality):
    assert quality["nonenglish"].recall >= 0.95


def test_unanswered_queries_have_no_relevant_entry(quality):
    assert quality["nothing"].nothing <= 0.15


def test_right_entries_are_marked_as_relevant(quality):
    assert quality["all"].marked >= 0.8


def test_other_engines_find_fewer(data, quality):
    for engine in (recall_quality.substring, recall_quality.okapi, recall_quality.fts5):
        assert recall_quality.measure(data, engine(data))["all"].recall < quality["all"].recall
