"""The public interface: find, find_line, mask, mask_parts, redact_for_memory."""

from __future__ import annotations

import hashlib

import pytest

from agent_memory import secrets
from unit.secrets.generate import Maker, private_key

TOKEN = Maker("face").make("ghp_{crc:30}")


def test_a_token_is_found_with_its_span_in_code_points():
    text = f"\U0001f511 the token is {TOKEN}, keep it"
    (found,) = secrets.find(text)
    assert text[found.start : found.end] == TOKEN
    assert found.redacted == "ghp_\u2026(40)"
    assert found.confidence == secrets.Confidence.CERTAIN
    assert found.sha256 == hashlib.sha256(TOKEN.encode()).hexdigest()


def test_no_field_of_a_secret_contains_its_value():
    (found,) = secrets.find(f"x {TOKEN}")
    assert TOKEN[4:12] not in repr(found)


def test_a_lone_surrogate_hides_nothing():
    half = "\ud83d"
    text = f"{half} a\n- token: {TOKEN}\npassword = 'Kx{half}9-vQ2!mZ7w'\n"
    found = secrets.find(text)
    assert text[found[0].start : found[0].end] == TOKEN
    masked = secrets.mask(text)
    assert masked.startswith(f"{half} a\n- token: ghp_")
    assert "vQ2" not in masked


def test_find_line_equals_find():
    line = f"- token: `{TOKEN}`.\n"
    assert list(secrets.find_line(line)) == secrets.find(line)


def test_a_mask_hides_all_secrets_and_keeps_the_lines():
    text = f"a\n- {TOKEN}\n{private_key(1)}\r\nb {TOKEN}\n"
    masked = secrets.mask(text)
    assert TOKEN not in masked
    assert "PRIVATE KEY-----" not in masked
    assert masked.count("\n") == text.count("\n")
    assert masked.startswith("a\n- ghp_\u2026(40)\n")
    assert masked.endswith("\u2026\r\nb ghp_\u2026(40)\n")


def test_an_accepted_value_is_shown():
    digest = hashlib.sha256(TOKEN.encode()).hexdigest()
    assert secrets.mask(f"x {TOKEN}", {digest}) == f"x {TOKEN}"


@pytest.mark.parametrize("cut", [3, 20, 300, 600])
def test_a_secret_over_two_parts_is_masked_in_both(cut: int):
    text = f"{TOKEN}\n{private_key(2)}\nend"
    parts = secrets.mask_parts([text[:cut], text[cut:]])
    assert "".join(parts).count("\n") == text.count("\n")
    assert parts[0].count("\n") == text[:cut].count("\n")
    lines = [line for line in text.splitlines() if line != "end"]
    assert not any(line in part for part in parts for line in lines)
    assert parts[1].endswith("\nend")


def test_memory_gets_a_reference_instead_of_the_value():
    assert secrets.redact_for_memory(f"use {TOKEN}.") == "use $GITHUB_TOKEN."


def test_masking_twice_changes_nothing():
    once = secrets.mask(f"{TOKEN} {private_key(3)}")
    assert secrets.mask(once) == once


def test_a_short_line_is_searched_too():
    line = Maker("short").make("pwd={an:10}")
    assert list(secrets.find_line(line)) == secrets.find(line)
    assert secrets.find_line(line)
