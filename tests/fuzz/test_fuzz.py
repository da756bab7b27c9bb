"""A slice of each fuzzing target with a fixed seed, and all inputs that were found before.

``make fuzz`` runs the same generators with a new seed.
"""

import random

import pytest

from effort import scaled
from fuzz.cases import CASES
from fuzz.documents import Documents
from fuzz.files import Files
from fuzz.guard import broken, smallest
from fuzz.messages import BATCH, Messages
from fuzz.yaml import Yaml

SEED = 20261122


@pytest.fixture(scope="module")
def documents(tmp_path_factory):
    return Documents(tmp_path_factory.mktemp("documents"))


@pytest.fixture
def server(tmp_path):
    messages = Messages(tmp_path)
    yield messages
    messages.close()


def test_generated_documents_break_nothing(documents):
    rng = random.Random(SEED)
    assert [documents.run(rng) for _ in range(scaled(1000))] == [None] * scaled(1000)


def test_generated_messages_get_answers(server):
    rng = random.Random(SEED)
    number = max(BATCH, scaled(500))
    assert [server.run(rng) for _ in range(number)] == [None] * number


@pytest.mark.parametrize("case", [case for case in CASES if case.target == "documents"])
def test_found_document_breaks_nothing(documents, case):
    documents.check(case.kind, case.text)


def test_found_messages_get_answers(server):
    found = [case.text.encode() for case in CASES if case.target == "messages"]
    assert [server.send(body) for body in found] == [""] * len(found)


def test_a_finding_is_reduced_to_what_causes_it():
    assert smallest("many words and an x among them", lambda text: "x" in text) == "x"


def test_an_exception_is_located(documents):
    assert "documents.py" in broken(lambda: documents.check("unknown", ""))


def test_generators_are_reproducible(tmp_path):
    def texts(target):
        made = []
        target.check = made.append
        rng = random.Random(SEED)
        for _ in range(20):
            target.run(rng)
        return made

    assert texts(Yaml(tmp_path / "one")) == texts(Yaml(tmp_path / "two"))


@pytest.mark.slow
def test_generated_structured_text_breaks_nothing(tmp_path):
    target, rng = Yaml(tmp_path), random.Random(SEED)
    assert [target.run(rng) for _ in range(scaled(200))] == [None] * scaled(200)


@pytest.mark.slow
def test_generated_folders_break_nothing(tmp_path):
    target, rng = Files(tmp_path), random.Random(SEED)
    assert [target.run(rng) for _ in range(scaled(20))] == [None] * scaled(20)
