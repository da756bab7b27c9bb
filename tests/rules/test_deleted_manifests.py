"""AM503 about commands whose Makefile, package.json or the like was deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agent_memory.config.context import Context
from agent_memory.lint.engine import check
from git_kit import commit, git
from kit import write

if TYPE_CHECKING:
    from pathlib import Path

MAKE = {"Makefile": "test:\n\tpytest\n"}


def facts(root: Path, before: dict[str, str], text: str, after: dict[str, str]) -> list[str]:
    """Return the facts about AGENTS.md with ``text``, in a project that has lost ``before``."""
    write(root, {"app.py": "1\n", **before})
    git(root, "init", "-q", "-b", "main")
    commit(root)
    git(root, "rm", "-q", *before)
    write(root, {"AGENTS.md": f"# A\n\n{text}\n", **after})
    commit(root)
    head = git(root, "rev-parse", "--short=7", "HEAD").strip()
    found = check(Context(root.parent / "home", root, env={}), [root / "AGENTS.md"], "codex")
    return [f"{item.code} {item.fact}".replace(head, "HEAD") for item in found.findings]


@pytest.mark.parametrize(
    ("before", "text", "name"),
    [
        (MAKE, "- Run `make test` often.", "Makefile"),
        (MAKE, "- Before a release: `uv run make release-check`", "Makefile"),
        (MAKE, "```sh\nmake lint\n```", "Makefile"),
        ({"justfile": "test:\n  pytest\n"}, "- Run `just test` often.", "justfile"),
        ({"package.json": '{"scripts": {"e2e": "x"}}'}, "- Run `npm run e2e`.", "package.json"),
        ({"package.json": '{"scripts": {"test": "x"}}'}, "- Run `npm test`.", "package.json"),
        ({"Taskfile.yml": "tasks: {a: x}\n"}, "- Run `task build`.", "Taskfile.yml"),
        ({"composer.json": "{}\n"}, "- Run `composer run stan`.", "composer.json"),
    ],
)
def test_a_command_fails_without_the_file_that_defines_it(tmp_path, before, text, name):
    found = facts(tmp_path / "project", before, text, {})
    assert found == [f"AM503 {name} was deleted in commit HEAD"]


@pytest.mark.parametrize(
    ("before", "text", "after"),
    [
        (MAKE, "- Run `make test` often.", {"api/Makefile": "test:\n"}),  # perhaps this one
        (MAKE, "- Run `make test` often.", {"Makefile.am": "x\n"}),  # creates it
        (MAKE, "- Run `make test` often.", {"CMakeLists.txt": "x\n"}),
        (MAKE, "- Run `make test` often.", {"makefiles/all.mk": "test:\n"}),
        (MAKE, "- Run `make test` often.", {".gitignore": "Makefile\n"}),  # a script creates it
        (MAKE, "- Do not run `make test` any more.", {}),
        (MAKE, "- In the infra repository, run `make test`.", {}),
        (MAKE, "- The user has to `make sure that` it runs.", {}),
        (MAKE, "- Run `npm test` or `make test`, such as `just x`.", {}),
        ({"package.json": "{}"}, "- Run `npm test`, `cargo test` or `pytest`.", {}),
        ({"notes.txt": "1\n"}, "- Run `make test` often.", {}),  # git never had one
    ],
)
def test_a_command_may_need_another_file_than_the_deleted_one(tmp_path, before, text, after):
    assert facts(tmp_path / "project", before, text, after) == []
