"""Placeholders and lines that look like secrets are not reported."""

from __future__ import annotations

import base64
import json

import pytest

from agent_memory import secrets
from agent_memory.secrets import catalog, scanner
from unit.secrets.generate import Maker, as_pem

PLACEHOLDERS = (
    "{}...",
    "{}\u2026",
    "{}<token>",
    "{}<your-token>",
    "{}your_token_here",
    "{}YOUR_API_KEY_GOES_HERE_0123",
    "{}" + "x" * 48,
    "{}" + "X" * 48,
    "{}" + "0" * 64,
    "{}" + "*" * 24,
    "{}${{TOKEN}}",
    "{}$TOKEN",
    "{}[0-9a-zA-Z]{{36}}",
    "{}abcdefghijklmnopqrstuvwxyz0123456789",
    "{}EXAMPLE" + "a1B2c3D4e5F6g7H8i9J0kLmN",
)
ORDINARY = (
    "commit {hex:40}",
    "See {hex:7} and {hex:40} for the fix.",
    "uses: actions/checkout@{hex:40} # v4",
    "sha256:{hex:64}",
    "image: ghcr.io/acme/app@sha256:{hex:64}",
    '"integrity": "sha512-{b64:86}==",',
    "    resolution: {{integrity: sha512-{b64:86}==}}",
    "h1:{b64:43}=",
    'checksum = "{hex:64}"',
    "digest: {hex:64}",
    "id: {uuid}",
    "The trace is {uuid}; the run is {uuid}.",
    "token: {uuid}",
    "request_token={uuid}",
    'NextToken: "{b64:60}="',
    "ETag: {hex:32}",
    "cache-key: linux-node-{hex:32}",
    "dist/assets/main.{hex:8}.chunk.js",
    "/_next/static/chunks/pages/index-{hex:16}.js",
    "![chart](data:image/png;base64,{b64:600})",
    "background: url(data:font/woff2;base64,{b64:400}==)",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{b64:43} me@host",
    "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ{b64:300}= ci",
    "fingerprint SHA256:{b64:43}",
    "MD5 {HEX:32}",
    "bucket s3://acme-{lan:12}/builds/{d:8}/app-{hex:12}.tar.gz",
    "arn:aws:secretsmanager:eu-west-1:{d:12}:secret:prod/db-{an:6}",
    "https://docs.acme.dev/{lan:12}/{lan:20}?page=2#section-{d:3}",
    "https://drive.acme.com/file/d/{b64u:33}/view",
    "pod/api-{lan:9}-{lan:5} restarted",
    "secretName: acme-tls-{lan:8}",
    "SECRET_KEY_BASE=$(openssl rand -hex {d:2})",
    "API_KEY=$API_KEY_{d:3}",
    'api_key = os.environ["ACME_API_KEY_{d:2}"]',
    "const token = process.env.TOKEN_{d:2};",
    "password: ${{DB_PASSWORD_{d:2}}}",
    "password: {{{{ vault_db_password_{d:2} }}}}",
    "postgres://user:password@localhost:54{d:2}/app",
    "postgres://app:${{PGPASSWORD}}@db.internal.acme.io:5432/app{d:2}",
    "postgresql://postgres:postgres@127.0.0.1:54{d:2}/test",
    "mysql://root:root@db:3306/app_{d:2}",
    "redis://:yourpassword@cache.acme.io:63{d:2}",
    "amqp://guest:guest@rabbit.acme.io:56{d:2}",
    "mongodb+srv://<user>:<password>@cluster{d:1}.mongodb.net",
    "https://user:pass@example.com/{d:3}",
    "git clone https://oauth2:$TOKEN@git.acme.io/a/b{d:2}.git",
    "max_tokens: {d:5}, token_count={d:8}",
    "tokenizer: acme/tokenizer-v{d:2}-cased-multilingual-{d:4}",
    "password_hash: pbkdf2_sha256_{d:6}",
    "private_key_path: /etc/keys/id_ed25519_{d:4}.pem",
    "key: value-{d:4}-of-the-translation-{d:3}",
    'title_key = "settings.accounts.token-{d:3}.title"',
    "secret: projects/acme/secrets/db-{d:3}/versions/latest",
    "access_token: str | None = None  # {d:4}",
    "def test_token_{d:4}_is_refreshed(client, access_token): ...",
    "sk-learn-{d:2}-pipelines-and-other-estimators",
    "pat.{d:4}.of.the.back",
    "key-{d:3}-rotation-schedule-for-the-team",
    "api-gateway-{d:3}-eu-central",
    "SK{d:4} is the ticket, AC{d:4} the other",
    "task-force-{d:4}-to-move-the-live_data_of_{d:4}",
    "version 1.0-{hex:8}, built from {hex:12}",
    "0x{hex:40} is the contract, 0x{hex:64} the transaction",
    "ipfs://Qm{b58:44}",
    "Phone +49 {d:3} {d:7}, invoice {d:10}-{d:4}",
    "2026-0{d:1}-1{d:1}T1{d:1}:0{d:1}:00.{d:6}Z",
)


def placeholder_lines() -> list[str]:
    anchors = [anchor for kind in catalog.kinds() for anchor in kind.anchors]
    return [f"- `{form.format(anchor)}`" for anchor in anchors for form in PLACEHOLDERS]


def ordinary_lines() -> list[str]:
    maker = Maker("ordinary")
    specs = [
        spec.replace("{uuid:0}", "").replace("{{", "{").replace("}}", "}") for spec in ORDINARY
    ]
    return [maker.make(spec) for spec in specs for _ in range(20)]


def test_placeholders_of_all_kinds_are_not_reported():
    lines = placeholder_lines()
    assert len(lines) >= 1000
    assert [line for line in lines if secrets.find(line)] == []


def test_ordinary_lines_are_not_reported():
    lines = ordinary_lines()
    assert len(lines) >= 1000
    assert [(line, secrets.find(line)[0].kind) for line in lines if secrets.find(line)] == []


@pytest.mark.parametrize("kind", catalog.kinds(), ids=lambda kind: kind.id)
def test_non_examples_of_the_kinds_are_not_reported(kind):
    maker = Maker(kind.id)
    for spec in kind.non_examples:
        assert secrets.find(f"- `{maker.make(spec)}`") == []


@pytest.mark.parametrize("size", [2_000, 60_000])
def test_random_base64_is_not_reported(size: int):
    raw = Maker(size).random.randbytes(size)
    text = base64.b64encode(raw).decode()
    assert secrets.find(text) == []
    assert secrets.find("\n".join(text[at : at + 76] for at in range(0, len(text), 76))) == []


def test_certificates_and_public_keys_are_not_reported():
    body = Maker(5).make("\n".join(["{b64:64}"] * 12))
    for label in ("CERTIFICATE", "PUBLIC KEY", "RSA PUBLIC KEY", "PGP PUBLIC KEY BLOCK"):
        dashes = "-" * 5
        assert (
            secrets.find(f"{dashes}BEGIN {label}{dashes}\n{body}\n{dashes}END {label}{dashes}")
            == []
        )


def test_a_key_block_without_a_key_is_not_reported():
    for body in ("...", "<your key>", "MIIE...", "base64 of the key", "x" * 256):
        assert secrets.find(as_pem("RSA PRIVATE KEY", body)) == []


def test_keys_from_vendor_documentation_are_not_reported(monkeypatch: pytest.MonkeyPatch):
    value = Maker("published").make("ghp_{crc:30}")
    (found,) = secrets.find(value)
    monkeypatch.setattr(scanner, "DOCUMENTED", frozenset({found.sha256}))
    assert secrets.find(value) == []


def test_the_seed_of_examples_of_one_time_passwords_is_not_reported():
    raw = b"Hello!" + b"\xde\xad\xbe\xef"
    seed = base64.b32encode(raw).decode()
    other = base64.b32encode(raw[::-1]).decode()
    assert secrets.find(f"- Seed secret: `{seed}`, its code is at the gate.") == []
    assert secrets.find(f"- Seed secret: `{other}`, its code is at the gate.")


@pytest.mark.parametrize(
    ("payload", "confidence"),
    [
        ({"sub": "42", "exp": 1_900_000_000}, "certain"),
        ({"role": "service_role", "iss": "acme"}, "certain"),
        ({"any": "thing"}, "doubtful"),
        ({"role": "anon", "iss": "acme"}, None),
        ({"role": "service_role", "iss": "supabase-demo"}, None),
    ],
)
def test_the_claims_of_a_web_token_count(payload, confidence):
    parts = [_part({"alg": "HS256"}), _part(payload), Maker(1).make("{b64u:43}")]
    found = secrets.find("token " + ".".join(parts))
    assert [item.confidence for item in found] == ([confidence] if confidence else [])


def _part(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")
