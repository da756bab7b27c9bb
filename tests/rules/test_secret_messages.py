"""No finding quotes a secret: each word that a rule's message quotes is replaced by one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from agent_memory.lint.engine import check
from kit import github_token
from rules.harness import Case, build, cases

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from agent_memory.base.model import Finding

pytestmark = pytest.mark.slow

BAD = [case for case in cases() if case.kind == "bad"]
_WORD = re.compile(rb"[A-Za-z][\w-]{3,}")
_HALF = 20


def texts(findings: Iterable[Finding]) -> str:
    """Return everything that the findings say, except paths and edits."""
    return "\n".join(
        "\n".join(
            [
                item.message,
                *(fix.title for fix in item.fixes),
                *(other.message for other in item.related),
                repr(item.data),
            ]
        )
        for item in findings
    )


def memory_files(case: Case, root: Path) -> Iterator[Path]:
    """Yield the small text files of a case."""
    for path in sorted(root.rglob("*")):
        if path.is_file() and not path.is_symlink() and 0 < path.stat().st_size < 20_000:
            yield path


@pytest.mark.parametrize("case", BAD, ids=lambda case: f"{case.rule}-{case.path.name}")
def test_no_finding_quotes_a_secret(case, tmp_path):
    ctx = build(case, tmp_path)
    paths = [tmp_path / path for path in case.options.get("paths", [])]

    def said() -> str:
        return texts([*check(ctx).findings, *check(ctx, paths).findings])

    quoted = {word.encode() for word in re.findall(r"[A-Za-z][\w-]{3,}", said())}
    token = github_token()
    for path in memory_files(case, tmp_path):
        content = path.read_bytes()
        for word in sorted(quoted & set(_WORD.findall(content)))[:12]:
            pattern = rb"(?<![\w-])" + re.escape(word) + rb"(?![\w-])"
            path.write_bytes(re.sub(pattern, token.encode(), content))
            found = said().lower()
            for piece in (token, token[:_HALF], token[_HALF:]):
                assert piece.lower() not in found, (path.name, word)
        path.write_bytes(content)
