"""What leaves the process: whole values, pieces of known ones, and texts that stay exact."""

from __future__ import annotations

import hashlib
import io
import random
from collections import OrderedDict

import pytest

from agent_memory import secrets
from agent_memory.base.errors import UsageError
from agent_memory.secrets import known_values
from kit import github_token
from timing import growth
from unit.secrets.generate import Maker, private_key

TOKEN = github_token(3)
REDACTED = "ghp_\u2026(40)"


def sha256(value: str) -> str:
    return hashlib.sha256(value.encode()).hexdigest()


def test_whole_value_is_redacted_in_any_text():
    assert secrets.shown(f"docs/{TOKEN}.md does not exist") == f"docs/{REDACTED}.md does not exist"


@pytest.mark.parametrize("piece", [TOKEN[:20], TOKEN[20:], TOKEN[8:24].lower(), TOKEN[5:17]])
def test_piece_of_a_known_value_is_hidden(piece):
    assert piece in secrets.shown(f"it reads {piece}, cut")
    secrets.find(f"key {TOKEN}")
    assert secrets.shown(f"it reads {piece}, cut") == "it reads \u2026, cut"


def test_value_that_only_its_name_shows_is_hidden_without_the_name():
    value = Maker(1).make("{hex:40}")
    secrets.find(f"api_key = {value}")
    assert value not in secrets.shown(f"docs/{value}.md")


def test_line_of_a_private_key_is_hidden():
    key = private_key(4)
    secrets.find(key)
    for line in key.splitlines()[1:-1]:
        assert secrets.shown(f"line 4 says {line}") == "line 4 says \u2026"
    assert secrets.shown("RSA PRIVATE KEY is a kind") == "RSA PRIVATE KEY is a kind"


def test_words_of_a_value_are_not_hidden():
    secrets.find(f"see https://hooks.slack.com/services/T0{Maker(2).make('{uan:8}')}/B0")
    assert secrets.shown("hooks.slack.com/services") == "hooks.slack.com/services"


def test_accepted_value_and_its_pieces_are_shown():
    secrets.find(TOKEN)
    secrets.accept([sha256(TOKEN)])
    assert secrets.shown(f"{TOKEN} and {TOKEN[:20]}") == f"{TOKEN} and {TOKEN[:20]}"
    secrets.find(f"again {TOKEN}")
    assert secrets.shown(TOKEN[:20]) == TOKEN[:20]


def test_repeated_value_is_masked_where_its_name_is_missing():
    value = Maker(5).make("{hex:40}")
    masked = secrets.mask(f"api_key = {value}\n\nLater {value} and x{value}y\n")
    assert value not in masked
    assert masked.count("\u2026(40)") == 3


def test_repeated_values_take_linear_time():
    maker = Maker(6)
    lines = [f"api_key = {maker.make('aaaaaaaa{hex:32}')}" for _ in range(800)]

    def mask(count):
        secrets.reset()
        secrets.mask("\n".join(lines[:count]))

    assert growth(lambda: mask(200), lambda: mask(800), enough=8) <= 8


def test_exact_text_is_not_masked():
    assert secrets.shown(secrets.Exact(TOKEN)) == TOKEN
    assert secrets.shown_json({"text": secrets.Exact(TOKEN)}) == {"text": TOKEN}


def test_json_is_masked_in_values_and_keys_except_named_fields():
    value = {"uri": TOKEN, "uris": [TOKEN], "a": [{"b": TOKEN}], TOKEN: 1, "target": {"c": TOKEN}}
    assert secrets.shown_json(value, {"uri", "uris", "target"}) == {
        "uri": TOKEN,
        "uris": [TOKEN],
        "a": [{"b": REDACTED}],
        REDACTED: 1,
        "target": {"c": REDACTED},
    }


def test_value_that_is_not_json_is_converted_and_masked():
    assert secrets.shown_json([{1}, None, 2.5], default=lambda _: {"x": TOKEN}) == [
        *({"x": REDACTED}, None, 2.5)
    ]


def test_string_of_another_type_is_masked():
    class Quoted(str):
        """A string as a YAML parser returns it."""

        __slots__ = ()

    value = OrderedDict({1: [Quoted(f"key {TOKEN}")]})
    assert secrets.shown_json(value) == {1: [f"key {REDACTED}"]}


def test_stream_masks_all_writes_except_exact_ones():
    stream = io.StringIO()
    masked = secrets.MaskedStream(stream)
    print("see", TOKEN, file=masked)
    masked.writelines([f"{TOKEN}\n", secrets.Exact(f"{TOKEN}\n")])
    assert stream.getvalue() == f"see {REDACTED}\n{REDACTED}\n{TOKEN}\n"
    assert masked.isatty() is False


def test_error_message_is_masked():
    assert str(UsageError(f"unknown runtime '{TOKEN}'")) == f"unknown runtime '{REDACTED}'"


def test_known_pieces_are_limited(monkeypatch):
    monkeypatch.setattr(known_values, "PIECES_MAX", 1000)
    known = known_values.KnownValues()
    rng = random.Random(1)
    values = [f"{rng.randrange(16**40):040x}" for _ in range(100)]
    for value in values:
        known.add(sha256(value), value)
    assert len(known._pieces) <= 1000
    assert known.spans(values[-1]) == [(0, 40)]
    assert known.spans(values[0]) == []


def test_a_piece_of_two_values_is_hidden_unless_both_are_allowed():
    head, known = f"{random.Random(2).randrange(16**20):020x}", known_values.KnownValues()
    values = {sha256(head + end): head + end for end in ("one1", "two2")}
    for value_hash, value in values.items():
        known.add(value_hash, value)
    for value_hash in values:
        assert known.spans(head, {value_hash}) == [(0, 20)]
    assert known.spans(head, set(values)) == []
    known.accept([next(iter(values))])
    assert known.spans(head) == [(0, 20)]


@pytest.mark.parametrize("text", ["", "a", "\u0130" * 20, "\ud800" * 20, "x" * 5000])
def test_any_text_can_be_shown(text):
    secrets.find(TOKEN)
    assert secrets.shown(text) == text


def test_repeated_object_is_masked_once_for_each_known_value():
    piece = TOKEN[8:24]
    item = secrets.Repeated({"message": f"it reads {piece}, cut", "uri": piece})
    exact = frozenset({"uri"})
    first = secrets.shown_json([item], exact)
    assert first == [{"message": f"it reads {piece}, cut", "uri": piece}]
    assert secrets.shown_json([item], exact)[0] is first[0]
    secrets.find(f"key {TOKEN}")
    assert secrets.shown_json([item], exact) == [{"message": "it reads …, cut", "uri": piece}]
    assert secrets.shown_json([item]) == [{"message": "it reads …, cut", "uri": "…"}]
