"""Passwords in URLs: random ones on every host, others on public hosts only."""

from __future__ import annotations

import pytest

from agent_memory import secrets
from unit.secrets.generate import Maker

PRIVATE = (
    "postgres://app:{}@10.0.0.5:5432/prod",
    "postgres://app:{}@192.168.1.20/prod",
    "postgres://app:{}@172.20.3.4/prod",
    "postgresql://app:{}@localhost:5432/prod",
    "postgresql+psycopg://app:{}@127.0.0.1/prod",
    "postgres://app:{}@[::1]:5432/prod",
    "redis://:{}@cache:6379/0",
    "mysql://root:{}@db/shop",
    "amqp://worker:{}@host.docker.internal:5672",
    "https://deploy:{}@registry.local/v2",
    "mongodb://admin:{}@mongo.test:27017",
    "postgres://user:{}@10.0.0.5/prod",
    "postgres://app:{}@${{DB_HOST}}/prod",
    "postgres://app:{}@<host>/prod",
)
ORDINARY = (
    "postgres://postgres:postgres@localhost:5432/app",
    "postgres://user:password@host:5432/app",
    "postgres://user:password@db.acme.io/app",
    "postgres://app:${PASSWORD}@localhost/app",
    "postgres://app:$PASSWORD@10.0.0.5/app",
    "postgres://app:{{ password }}@localhost/app",
    "postgres://app:<password>@localhost/app",
    "postgres://app:********@localhost/app",
    "postgres://app:devpass123@localhost/app",
    "postgres://app:Passw0rd@localhost/app",
    "postgres://app:Welcome2024!@localhost/app",
    "postgres://app:Sup3rS3cr3t@localhost/app",
    "postgres://app:myDatabaseName1@localhost/app",
    "postgres://app:local_dev_2024@localhost/app",
    "mysql://root:root1234@db:3306/shop",
    "redis://:redis6379@cache:6379",
    "rabbitmq://guest:guest-guest@rabbit:5672",
    "postgres://ci:github-actions-1@postgres:5432/test",
    "http://minioadmin:minioadmin@minio:9000",
    "elasticsearch://elastic:changeme1X@localhost:9200",
    "postgres://shop:shop-dev-42@127.0.0.1:5432/shop",
)

MISSED = {"{an:16}": 0.02, "{hex:32}": 0.02, "{lan:20}": 0.13}
"""The share of random passwords that look like words or placeholders by chance."""


@pytest.mark.parametrize("url", PRIVATE)
@pytest.mark.parametrize("spec", MISSED)
def test_random_password_is_found_on_any_host(url: str, spec: str):
    maker = Maker(f"{url} {spec}")
    missed = 0
    for _ in range(200):
        password = maker.make(spec)
        text = f"The database is {url.format(password)} for now."
        at = text.index(password)
        found = [(item.start, item.end) for item in secrets.find(text)]
        missed += found != [(at, at + len(password))]
    assert missed <= MISSED[spec] * 200


@pytest.mark.parametrize("url", ORDINARY)
def test_word_placeholder_or_reference_is_no_password(url: str):
    assert secrets.find(f"Connect with {url} first.") == []
