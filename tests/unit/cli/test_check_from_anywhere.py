"""``check PATH`` judges a file in its own project, from wherever it is named."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from kit import cli
from rules.harness import Case, build, cases

FOLDERS = [case for case in cases() if case.path.is_dir() and case.kind == "bad"]


def _name(case: Case) -> str:
    return f"{case.rule}/{case.path.name}"


@pytest.mark.parametrize("case", FOLDERS, ids=_name)
def test_findings_are_the_same_from_inside_from_the_parent_and_by_absolute_path(case, tmp_path):
    ctx = build(case, tmp_path)

    def findings(cwd: Path, path: str) -> list[str]:
        done = cli(ctx.with_(cwd=cwd), "check", path, "--format", "json", "--fail-on", "never")
        assert done.code == 0, done.err
        found = json.loads(done.out)["findings"]
        for item in found:
            item["path"] = str(Path(os.path.relpath(cwd / item["path"], tmp_path)))
        return sorted(json.dumps(item, sort_keys=True) for item in found)

    inside = findings(ctx.cwd, ".")
    assert findings(tmp_path, "project") == inside
    assert findings(ctx.home, str(ctx.cwd)) == inside
