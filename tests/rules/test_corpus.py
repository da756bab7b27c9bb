"""Precision on real files: every finding has a label set by hand.

Needs the corpus (see rules/corpus.py), which is not part of this repository.
"""

from __future__ import annotations

import csv
from collections import Counter

import pytest

from agent_memory.base.model import Severity
from agent_memory.lint.rules import BY_KEY
from rules.corpus import LABELS, findings, location

CORPUS = location()
FLOOR = {Severity.ERROR: 0.95, Severity.WARNING: 0.9, Severity.INFO: 0.8}
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CORPUS is None, reason="the corpus of real files is not on this machine"),
]


@pytest.fixture(scope="module")
def labels():
    with LABELS.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    return {(row["path"], row["code"], int(row["line"]), row["sha256_16"]): row for row in rows}


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    return [item for item, _, _ in findings(CORPUS, tmp_path_factory.mktemp("corpus"))]


def test_every_corpus_finding_has_a_label(found, labels):
    assert [item for item in found if item.key not in labels] == []


def test_every_label_has_a_corpus_finding(found, labels):
    assert set(labels) - {item.key for item in found} == set()


def test_every_label_has_a_reason(labels):
    assert {row["verdict"] for row in labels.values()} <= {"right", "wrong"}
    assert [key for key, row in labels.items() if len(row["reason"]) < 10] == []


def test_precision_of_default_rules(found, labels):
    right: Counter[str] = Counter()
    every: Counter[str] = Counter()
    for item in found:
        every[item.code] += 1
        right[item.code] += labels[item.key]["verdict"] == "right"
    short = {
        code: f"{right[code]} of {count}"
        for code, count in every.items()
        if right[code] / count < FLOOR[BY_KEY[code].severity]
    }
    assert short == {}
