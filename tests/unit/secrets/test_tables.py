"""Secrets in tables, recognized by the heading of their column."""

from __future__ import annotations

import pytest

from agent_memory import secrets
from unit.secrets.generate import Maker

KEY = Maker("cells").make("{an:24}7")
PASSWORD = f"{KEY[:6]}7!{KEY[6:10]}Kq4"
TABLE = """# Access

| Place | {name} | Notes |
|:------|:------:|-------|
| test  | {value} | none  |
"""


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Password", PASSWORD),
        ("**Admin password**", f"`{PASSWORD}`"),
        ("Passwort", f"**{PASSWORD}**"),
        ("Kennwort", PASSWORD),
        ("Secret key", KEY),
        ("密码", PASSWORD),
        ("API key", KEY),
        ("`access_token`", KEY),
    ],
)
def test_a_value_in_a_column_of_secrets_is_found_and_masked(name: str, value: str):
    text = TABLE.format(name=name, value=value)
    (found,) = secrets.find(text)
    assert text[found.start : found.end] == value.strip("`*")
    assert value.strip("`*") not in secrets.mask(text)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Token limit", KEY),
        ("Password policy", PASSWORD),
        ("Public key", KEY),
        ("Commit", KEY),
        ("Password", "see the vault"),
        ("Password", "$DB_PASSWORD2"),
        ("Password", "<your password>"),
        ("Password", f"{PASSWORD}…"),
        ("API key", "config.key2.Name"),
        ("Token", "1,024 to 4,096"),
    ],
)
def test_other_columns_and_placeholders_are_not_reported(name: str, value: str):
    assert secrets.find(TABLE.format(name=name, value=value)) == []


def test_only_the_rows_of_the_table_are_examined():
    row = f"| test | {PASSWORD} |\n"
    assert secrets.find(f"| Place | Password |\n{row}") == []
    assert secrets.find(f"| Place | Password |\n|--|--|\n\n{row}") == []
    escaped = f"Place | Password\n--|--\na \\| b | {PASSWORD}\n"
    (found,) = secrets.find(escaped)
    assert escaped[found.start : found.end] == PASSWORD


@pytest.mark.parametrize(
    "rule",
    [
        "|:---:|:---:|",
        "| ---: |\t:-: |",
        ":-:|:-:",
        "--:\t|\t--:",
        "| - | - |",
        "|:--|:--",
        "|-:|-",
    ],
)
def test_the_alignment_of_columns_hides_nothing(rule: str):
    text = f"| Place | Password |\n{rule}\n| test | {PASSWORD} |\n"
    (found,) = secrets.find(text)
    assert text[found.start : found.end] == PASSWORD


@pytest.mark.parametrize("rule", ["|---", "|:-", "---|", "--:|", "|\t-:"])
def test_one_column_is_a_table_with_one_bar(rule: str):
    text = f"| Password\n{rule}\n| {PASSWORD}\n"
    (found,) = secrets.find(text)
    assert text[found.start : found.end] == PASSWORD
