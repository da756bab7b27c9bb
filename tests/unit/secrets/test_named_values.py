"""Values that are recognized by their name, and similar values that are not secrets."""

from __future__ import annotations

from base64 import b64encode

import pytest

from agent_memory import secrets
from unit.secrets.generate import Maker

VALUE = Maker("context").make("{an:24}7")
FOUND = (
    "API_KEY={}",
    "export SESSION_SECRET={}",
    'client_secret: "{}"',
    "- clientSecret = '{}'",
    "**API key**: {}",
    "- **Token:** `{}`",
    "The API key is {}.",
    "| access token | `{}` |",
    '{{"auth_token": "{}"}}',
    "Authorization: Bearer {}",
    'curl -H "Authorization: Bearer {}" https://api.acme.io',
    "signing_key => {}",
    "deploy --access-token={} --verbose",
    "password: {}",
    "Passphrase = {}",
    "Passwort: {}",
    "- **密码**：`{}`",  # noqa: RUF001
    "数据库密码为: {}",
    "パスワードは：{}",  # noqa: RUF001
    "비밀번호: {}",
    "пароль = {}",
    "contraseña: {}",
    "secret key: {}",
    "- The secret key is {}",
    "**Secret key**: `{}`",
    "The API key for the weather service is {}",
    "- The access token for the CI user is `{}`.",
    "- **API key** for the weather service: {}",
    "The auth token of the billing service is {}",
    "Kennwort: {}",
    "- **Kennwort**: `{}`",
    "Das Datenbankkennwort = {}",
)
LEFT = (
    "secret keys: {}",
    "secret key id: {}",
    "secret key for the service, then commit {}",
    "The token for the next page is {}",
    "The access token for this commit is {}",
    "The API key for the service is in commit {}",
    "The API key for the service is rotated. Commit: {}",
    "The secret for the release with digest: {}",
    "The signing key for releases is {}",
    "The token for `page 2` is {}",
    "The secret of the service is out; build: {}",
    "| API key for the service | build | {} |",
    "The API key of the service and of the build with id: {}",
    "- API key for the weather service is kept at https://a.test/x: {}",
    "Kennwortrichtlinie: {}",
    "commit: {}",
    "id: {}",
    "digest = {}",
    "public_key: {}",
    "csrf_token: {}",
    '"experiment_key": "{}"',
    "next_page_token={}",
    "token_id: {}",
    "secret_name = {}",
    "password_file: /run/{}",
    "api_key = config.{}",
    "api_key: $({})",
    'api_key: "{}',
    "api_key: {}...",
    "tokens: {}",
    "secretary: {}",
    "api_key: my-{}",
    "密码重置链接: {}",
    "パスワード {}",
)


HASHED = (
    'SHA-1 of "password": {}',
    "- Hash of the admin password: {}",
    "SHA-256 of the password is {}",
    "md5 of secret: {}",
    "The digest of our API key is `{}`",
    "Fingerprint of the access token: {}",
    "- hashed_password: {}",
    "SHA256 password = {}",
    "Checksum for the client secret: {}",
    "Prüfsumme des Passworts für das Passwort: {}",
    "- Hash of the `auth_token`: {}",
)
NOT_HASHED = (
    "The hash is checked; the password is {}",
    "The hash of the commit is in the log, password: {}",
    "make-hash --password={}",
    "make-hash --password {}",
    "It is stored as sha256. Password: {}",
    "Log in to the hash service and use password {}",
)


@pytest.mark.parametrize("line", HASHED)
@pytest.mark.parametrize("template", ["{hex:32}", "{hex:40}", "{hex:64}", "{an:24}7"])
def test_the_hash_of_a_secret_is_not_a_secret(line: str, template: str):
    assert secrets.find(line.format(Maker(line).make(template))) == []


def test_a_column_of_hashes_has_no_secrets():
    table = "| user | {} |\n|---|---|\n| ci | " + Maker("column").make("{hex:40}") + " |\n"
    assert secrets.find(table.format("Hash of the password")) == []
    assert len(secrets.find(table.format("Password"))) == 1


@pytest.mark.parametrize("line", NOT_HASHED)
def test_another_hash_on_the_line_hides_nothing(line: str):
    text = line.format(f"{VALUE[:9]}7!kQ4")
    (found,) = secrets.find(text)
    assert text[found.start : found.end] == f"{VALUE[:9]}7!kQ4"


@pytest.mark.parametrize("line", FOUND)
def test_a_random_value_with_the_name_of_a_secret_is_found(line: str):
    text = line.format(VALUE)
    (found,) = secrets.find(text)
    assert text[found.start : found.end] == VALUE
    assert found.group is secrets.Group.CONTEXT


@pytest.mark.parametrize("line", LEFT)
def test_other_names_and_values_are_not_reported(line: str):
    assert secrets.find(line.format(VALUE)) == []


def test_a_number_in_base64_is_not_a_secret():
    cursor = b64encode(b"351837543000005828").decode()
    assert secrets.find(f'"token": "{cursor}"') == []


@pytest.mark.parametrize("signature", ["", ".", ".signature", ".c2lnbmF0dXJl"])
def test_a_web_token_without_a_signature_is_not_a_secret(signature: str):
    parts = ('{"alg":"none","typ":"JWT"}', '{"user":"kim","role":"admin","iat":1516239022}')
    token = ".".join(b64encode(part.encode()).decode().rstrip("=") for part in parts)
    assert secrets.find(f"Authorization: Bearer {token}{signature}") == []


@pytest.mark.parametrize(
    ("template", "line"),
    [
        ("{an:16}", "- The admin password: {}"),
        ("{an:24}", "| database | api_key = {} |"),
        ("{an:32}", "- export WEBHOOK_SECRET={}"),
    ],
)
def test_few_random_values_are_missed(template: str, line: str):
    make = Maker("chance").make
    found = [bool(secrets.find(line.format(make(template)))) for _ in range(500)]
    assert sum(found) >= 475


@pytest.mark.parametrize(
    "name",
    ["StrWithHttpCtxArg", "parseHTMLToXMLDoc", "CredentialProvider", "ReadFromKMSOrSSMStore"],
)
def test_a_name_in_code_is_not_random(name: str):
    assert secrets.find(f"password: {name}") == []


@pytest.mark.parametrize(
    "value",
    ["P@55w0rd!2024", "s3cr3t-v4lu3", "hunter2hunter2", "changeme123", "correct-horse-battery-9"],
)
def test_passwords_of_words_are_not_reported(value: str):
    assert secrets.find(f"password: {value}") == []


def test_the_reference_has_the_name_of_the_value():
    assert secrets.redact_for_memory(f"acme clientSecret: {VALUE}") == (
        "acme clientSecret: $CLIENT_SECRET"
    )


def test_a_character_that_grows_in_lower_case_moves_no_span():
    text = f"\u0130\u0130\u0130 API_KEY={VALUE}"
    (found,) = secrets.find(text)
    assert text[found.start : found.end] == VALUE


@pytest.mark.parametrize(
    ("url", "is_secret"),
    [
        ("postgres://app:{}@db.acme.io:5432/main", True),
        ("https://ci:{}@git.acme.io/team/app.git", True),
        ("redis://:{}@cache.acme.io:6379", True),
        ("(mongodb+srv://app:{}@cluster0.acme.mongodb.net)", True),
        ("postgres://app:{}@localhost:5432/main", True),
        ("postgres://app:{}@db:5432/main", True),
        ("postgres://user:{}@db.acme.io/main", True),
        ("postgres://app:{}@db.example.com/main", False),
        ("postgres://app:$PGPASSWORD@db.acme.io/{}", False),
        ("https://acme.io:8443/{}@main", False),
    ],
)
def test_the_password_of_a_real_host_in_a_url_is_found(url: str, is_secret: bool):
    text = f"- connect to {url.format(VALUE)}"
    found = [item for item in secrets.find(text) if item.group is secrets.Group.URL]
    assert [text[item.start : item.end] for item in found] == [VALUE] * is_secret
