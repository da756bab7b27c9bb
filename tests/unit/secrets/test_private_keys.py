"""Private keys on several lines, in one string, truncated, indented and quoted."""

from __future__ import annotations

import pytest

from agent_memory import secrets
from unit.secrets.generate import private_key

LABELS = (
    "PRIVATE KEY",
    "RSA PRIVATE KEY",
    "EC PRIVATE KEY",
    "DSA PRIVATE KEY",
    "OPENSSH PRIVATE KEY",
    "ENCRYPTED PRIVATE KEY",
    "PGP PRIVATE KEY BLOCK",
    "SSH2 ENCRYPTED PRIVATE KEY",
)


@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize(
    "lead", ["", "    ", "> ", "\t"], ids=["plain", "indented", "quoted", "tab"]
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_the_span_of_a_key_covers_all_of_it(label, lead, newline):
    key = private_key(11, label).replace("\n", newline + lead)
    text = f"# Deploy{newline}{newline}{lead}{key}{newline}next"
    (found,) = secrets.find(text)
    assert text[found.start : found.end] == key
    assert found.group is secrets.Group.PRIVATE_KEY


def test_a_key_in_a_string_with_escaped_newlines_is_found():
    key = private_key(12).replace("\n", "\\n")
    text = f'  "private_key": "{key}\\n",'
    (found,) = secrets.find(text)
    assert text[found.start : found.end] == key


def test_a_key_without_an_end_line_is_found_to_its_last_line():
    key = private_key(13).rpartition("\n")[0]
    text = f"{key}\n\nAnd more text."
    (found,) = secrets.find(text)
    assert text[found.start : found.end].startswith(key)
    assert "And more text." in secrets.mask(text)


def test_headers_of_old_key_files_are_part_of_the_key():
    first, _, rest = private_key(14).partition("\n")
    key = f"{first}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123ABCD\n\n{rest}"
    (found,) = secrets.find(key)
    assert (found.start, found.end) == (0, len(key))


def test_two_keys_are_two_findings():
    assert len(secrets.find(f"{private_key(15)}\n\n{private_key(16)}\n")) == 2


def test_a_masked_key_keeps_its_lines_and_nothing_else():
    key = private_key(17)
    masked = secrets.mask(f"a\n{key}\nb")
    assert masked.count("\n") == key.count("\n") + 2
    assert not any(line in masked for line in key.splitlines())
