"""Passwords in sentences, after user names and in commands, and text that looks like them."""

from __future__ import annotations

import base64
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory import secrets
from agent_memory.secrets import passwords_in_prose

SIGNS = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
TOLD = (
    "- The password for the staging database is `{}`.",
    "Das Passwort lautet {}",
    "Das Passwort für den Testserver ist '{}'.",
    "Das Kennwort lautet {}",
    "- Das Kennwort für den Testserver ist `{}`.",
    "Benutzer admin, Kennwort {}",
    "Le mot de passe : {}",
    "La contraseña de la base es {}",
    "密码是 {}",
    "- パスワードは`{}`です",
    "- pw: {}",
    "pwd = '{}'",
    "DB user: root / pass: {}",
    "The first user has the pass: {}",
    "The first password: {}",
    "On the 1st pass, password: {}",
    "login: admin / {}",
    "- **Credentials**: admin:{}",
    "Log in with `admin` and `{}`",
    "user admin, password {}",
    "Use {} as the password.",
    "- Log in as root, use {} as your password",
    "mysql -h db -u root -p{} shop",
    "mysqldump -uroot -p'{}' shop",
    "`curl -u admin:{} https://api.acme.io`",
    "sshpass -p {} ssh build.acme.io",
    "redis-cli -h cache -a {} ping",
    "docker login registry.acme.io -u ci -p {}",
    "deploy --password {} --verbose",
)
LEFT = (
    "The password for the database is stored in 1Password.",
    "Passwords for staging: see `vault/staging2/Db`.",
    "pwd: /srv/app2/Current",
    "pass: 12 of 14 (2 skipped)",
    "The first pass: r7/TidePools_640q was slow",
    "On the 2nd pass = r7/TidePools_640q",
    "login: admin / see 1Password-Vault2",
    "Log in with `admin` and `$ADMIN_PASSWORD2`",
    "Use Argon2idHash as the password hash",
    "How we hash a password: Argon2id/BCrypt by the library",
    "Mot de passe : PBKDF2-SHA512/Argon2",
    "mysql -P3306 -uroot -p shop2Database",
    "mysql --protocol=tcp4 -h db -u root",
    "curl -u admin:$TOKEN2 https://api.acme.io",
    "docker run -p 8080:80 app2Image",
    "redis-cli -a $REDIS_PASSWORD1",
    "The login page is /sign-in2/Main and /oauth2/Callback",
    "deploy --token <YOUR_TOKEN1> --verbose",
    "Authorization: Basic <base64 of user:password1>",
    "password rules: 8 characters, 1Upper, 1Lower",
)


def password(seed: str) -> str:
    """Return a password of letters of both cases, digits and a symbol, generated from ``seed``."""
    some = random.Random(seed)
    return "".join(some.choice(SIGNS) for _ in range(6)) + "7!" + "kQ4" + some.choice(SIGNS)


@pytest.mark.parametrize("line", TOLD)
def test_a_stated_password_is_found_and_masked(line: str):
    value = password(line)
    (found,) = secrets.find(line.format(value))
    assert line.format(value)[found.start : found.end] == value
    assert found.group is secrets.Group.CONTEXT
    assert value not in secrets.mask(line.format(value))


@pytest.mark.parametrize("line", TOLD)
def test_a_password_is_found_among_other_lines(line: str):
    told = line.format(password(line))
    before = "# Access for 2 people\n\n- password for mysql of curl 1\n"
    (alone,), (found,) = secrets.find(told), secrets.find(f"{before}{told}\n- pw rules: 8\n")
    assert (found.start - len(before), found.sha256) == (alone.start, alone.sha256)


@pytest.mark.parametrize("line", TOLD)
def test_few_random_passwords_are_missed(line: str):
    found = [bool(secrets.find(line.format(password(f"{line}{n}")))) for n in range(100)]
    assert sum(found) >= 95


@pytest.mark.parametrize("line", LEFT)
def test_references_paths_and_rules_are_not_reported(line: str):
    assert secrets.find(line) == []


@pytest.mark.parametrize("line", ['pw: "{}', "pw: {}...", "pw: {}\u2026", "pw: '{} and more'"])
def test_abbreviated_or_half_quoted_values_are_not_reported(line: str):
    assert secrets.find(line.format(password(line))) == []


@pytest.mark.parametrize("line", TOLD)
@pytest.mark.parametrize("value", ["your-password", "changeme123", "$PASSWORD_2", "<password1>"])
def test_placeholders_for_passwords_are_not_reported(line: str, value: str):
    assert secrets.find(line.format(value)) == []


def test_a_password_may_begin_with_the_name_of_a_hash():
    value = f"Argon2/{password('hash')}"
    (found,) = secrets.find(f"The password is {value}")
    assert found.redacted == f"…({len(value)})"


def test_basic_authorization_is_decoded():
    value = base64.b64encode(f"ci:{password('basic')}".encode()).decode()
    (found,) = secrets.find(f"- Authorization: Basic {value}")
    assert found.redacted == f"…({len(value)})"
    stand_in = base64.b64encode(b"user:password").decode()
    assert secrets.find(f"- Authorization: Basic {stand_in}") == []


@given(st.lists(st.sampled_from(TOLD + LEFT), max_size=6), st.sampled_from(["\n", "\r\n", "\n\n"]))
def test_line_by_line_search_equals_a_search_of_the_text(lines: list[str], ending: str):
    text = ending.join(line.format(password(f"{at}")) for at, line in enumerate(lines)) + "1"
    assert set(passwords_in_prose.find(text)) == set(passwords_in_prose.find_in(text))


@given(st.from_regex(passwords_in_prose._HINT.pattern.replace(r"\b", ""), fullmatch=True))
def test_the_ascii_prefilter_misses_no_hint(hint: str):
    assert passwords_in_prose.may_contain_password(f" {hint} 7")
    assert passwords_in_prose.may_contain_password(f" {hint.upper()} 7")


@given(st.from_regex(passwords_in_prose._ASCII_HINT.pattern, fullmatch=True))
def test_each_ascii_hint_has_one_of_the_words(hint: str):
    assert any(word in hint for word in passwords_in_prose.ASCII_WORDS)
