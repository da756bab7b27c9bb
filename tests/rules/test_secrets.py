"""The secret rules: messages, positions and fixes. The values are generated here.

AGENT_MEMORY_WRITE_GOLDEN=1 rewrites the golden files; read the difference afterwards.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from agent_memory.config import settings, settings_merge
from agent_memory.config.context import Context
from agent_memory.lint.engine import check
from agent_memory.lint.known_names import KNOWN_NAMES
from rules.harness import apply, as_text
from unit.secrets.generate import Maker, private_key

if TYPE_CHECKING:
    from agent_memory.base.model import Finding

CASES = Path(__file__).with_name("secret_cases")
WRITE = os.environ.get("AGENT_MEMORY_WRITE_GOLDEN") == "1"
TOKEN = Maker("rules").make("ghp_{crc:30}")


def make(name: str, tmp: Path) -> Context:
    text = (CASES / name).read_text("utf-8")
    text = text.replace("{ghp}", TOKEN).replace("{key}", private_key(9).replace("\n", "\n  "))
    memory = tmp / "project" / "AGENTS.md"
    (tmp / "project" / ".git").mkdir(parents=True)
    memory.write_text(Maker(name).make(text), "utf-8")
    made, problems = settings_merge.merge(
        settings.Settings(), {"runtime": "deepagents-code"}, "test", KNOWN_NAMES
    )
    assert not problems
    return Context(tmp / "home", tmp / "project", settings=made, env={})


def secret_findings(ctx: Context) -> list[Finding]:
    return [item for item in check(ctx).findings if item.code.startswith("AM2")]


def compare(text: str, name: str) -> None:
    expected = CASES / name
    if WRITE:
        expected.write_text(text, "utf-8")
    assert text == expected.read_text("utf-8")


def test_placeholders_are_not_reported_as_secrets(tmp_path):
    assert as_text(secret_findings(make("ok.md", tmp_path)), tmp_path) == ""


def test_secret_findings_match_the_golden_file(tmp_path):
    compare(as_text(secret_findings(make("bad.md", tmp_path)), tmp_path), "bad.txt")


def test_fixes_replace_secrets_with_references(tmp_path):
    ctx = make("bad.md", tmp_path)
    found = secret_findings(ctx)
    apply(found, safe_only=False)
    assert secret_findings(ctx) == []
    assert len(found) == 14
    fixed = (tmp_path / "project" / "AGENTS.md").read_text("utf-8")
    compare(fixed, "fixed.md")


def test_secret_fixes_are_unsafe(tmp_path):
    ctx = make("bad.md", tmp_path)
    before = (tmp_path / "project" / "AGENTS.md").read_bytes()
    apply(secret_findings(ctx), safe_only=True)
    assert (tmp_path / "project" / "AGENTS.md").read_bytes() == before


def test_accepted_value_is_not_reported_anywhere(tmp_path):
    ctx = make("bad.md", tmp_path)
    count = len(secret_findings(ctx))
    digest = hashlib.sha256(TOKEN.encode()).hexdigest()
    made, problems = settings_merge.merge(
        ctx.settings, {"secrets.allowed": [digest]}, "test", KNOWN_NAMES
    )
    assert not problems
    assert len(secret_findings(ctx.with_(settings=made))) == count - 3


@pytest.mark.parametrize("part", ["message", "data", "fixes"])
def test_no_finding_contains_a_secret_value(tmp_path, part):
    ctx = make("bad.md", tmp_path)
    lines = ctx.store.read(tmp_path / "project" / "AGENTS.md").lines
    for item in secret_findings(ctx):
        span = item.span
        value = lines[span.line][span.start : span.end if span.end_line == span.line else None]
        said = repr(getattr(item, part))
        assert value.strip() not in said
        assert value[-10:].strip() not in said
        assert item.data["secret"] is True
