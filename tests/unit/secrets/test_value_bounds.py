"""The end of a value: all of it is masked, and nothing of the sentence around it."""

from __future__ import annotations

import hashlib

import pytest

from agent_memory import secrets
from unit.secrets.generate import Maker

VALUE = Maker("ends").make("{an:20}7kQ4")
BOUNDED = (
    '- password: "{}"',
    "- password: `{}`",
    "password='{}'",
    '{{"client_secret":"{}"}}',
    'The password for the database is "{}".',
    "- Das Passwort lautet `{}`.",
    'curl -u "admin:{}" https://api.acme.io',
    "`curl -u admin:{}`",
    "`mysql -u root -p{}`",
    "mysqldump -p'{}' shop",
    'deploy --password "{}" --verbose',
    "- **Password:** `{}`",
    "- log in with `admin` and `{}`",
    "\u5bc6\u7801: `{}`\u3002",
)
OPEN = (
    "- password: {}",
    "The password for the database is {}",
    "- **Password:** {}",
    "deploy --password {} --verbose",
    "- log in: admin / {}",
)
ENDS = ["!", "?!", ")", "]", "}", ".", "?", ":", "_", "*", "!!)", "!?."]


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("line", BOUNDED)
def test_everything_between_quotes_belongs_to_the_value(line: str, end: str):
    check(line, VALUE + end)


@pytest.mark.parametrize("end", ["!", "!!", "?!", "_", ":_", "*"])
@pytest.mark.parametrize("line", OPEN)
def test_punctuation_inside_a_sentence_belongs_to_the_value(line: str, end: str):
    check(line, VALUE + end)


@pytest.mark.parametrize("end", [".", "?", ":", ",", ";", ")", ").", "]", "}.", ")?"])
@pytest.mark.parametrize("line", OPEN)
def test_the_end_of_a_sentence_is_not_part_of_the_value(line: str, end: str):
    check(line.replace("{}", "{}" + end.replace("}", "}}")), VALUE)


@pytest.mark.parametrize("stop", "\u3001\u3002\uff0c\uff1b\uff01\uff1f\uff09\u300d\uff61")
@pytest.mark.parametrize(
    "line", ["密码是 {}", "- 密码: {}", "password: {}", "- パスワード: {}", "API key: {}"]
)
def test_full_width_punctuation_ends_a_value(line: str, stop: str):
    check(f"{line}{stop}", VALUE)
    check(f"{line}{stop}user", VALUE)


@pytest.mark.parametrize(
    "line", ["**Password: {}**", "*The password is {}*", "__password: {}__", "- _API key: {}_."]
)
def test_closing_emphasis_is_not_part_of_the_value(line: str):
    check(line, VALUE)


def test_the_period_of_a_quoted_sentence_is_not_part_of_the_value():
    check('He said: "The password is {}."', VALUE)


@pytest.mark.parametrize("line", ['"{}..."', "`{}...`", "'{}***'", "{}...", "{}***", '"{}\u2026!"'])
def test_an_abbreviated_value_is_not_reported(line: str):
    assert secrets.find("password: " + line.format(VALUE)) == []


@pytest.mark.parametrize("end", ["!", "!)", "."])
@pytest.mark.parametrize(
    "stand_in", ["changeme123", "$PASSWORD_2", "your-password1", "<pass1word>"]
)
def test_a_placeholder_with_punctuation_is_not_reported(stand_in: str, end: str):
    assert secrets.find(f'password: "{stand_in}{end}"') == []
    assert secrets.find(f"password: {stand_in}{end}") == []


@pytest.mark.parametrize("end", ["!", "_", "*"])
def test_the_whole_cell_belongs_to_the_value(end: str):
    check("| user | password |\n|---|---|\n| ci | {} |", VALUE + end)
    check("| user | password |\n|---|---|\n| ci | **`{}`** |", VALUE + end)


@pytest.mark.parametrize("end", ["!", "?!", "_", "."])
def test_the_whole_password_in_a_url_belongs_to_the_value(end: str):
    check("(see postgres://app:{}@db.acme.io/main).", VALUE + end)


def check(line: str, value: str) -> None:
    """Check that ``value`` is the only secret of ``line``, and is masked completely."""
    text = line.format(value)
    (found,) = secrets.find(text)
    assert text[found.start : found.end] == value
    assert found.sha256 == hashlib.sha256(value.encode()).hexdigest()
    assert secrets.mask(text) == line.format(f"\u2026({len(value)})")
    assert secrets.redact_for_memory(text) == line.format(f"${found.variable}")
