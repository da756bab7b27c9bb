"""The pages about secrets agree with the kinds."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from agent_memory.secrets import catalog

ROOT = Path(__file__).parents[3]


def test_the_page_of_kinds_is_up_to_date():
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "secret_kinds.py", "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("page", ["security.md", "secret-kinds.md"])
def test_pages_state_the_number_of_kinds(page: str):
    text = (ROOT / "docs" / page).read_text("utf-8")
    assert f"{len(catalog.kinds())} kinds" in text
    assert f"{len(catalog.named_kinds())}" in text


def test_rule_pages_state_the_number_of_kinds():
    for code, kinds in (("AM201", catalog.kinds()), ("AM202", catalog.named_kinds())):
        text = (ROOT / "docs" / "rules" / f"{code}.md").read_text("utf-8")
        assert f"[{len(kinds)} kinds](../secret-kinds.md)" in text
