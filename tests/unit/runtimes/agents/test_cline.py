"""Cline: which rules, under which name, in which order."""

from __future__ import annotations

import pytest

from agent_memory.base.model import Exactness, Scope, Status
from agent_memory.prompt.compose import compose
from agent_memory.runtimes import BY_ID
from agent_memory.runtimes.agents.javascript import sort_key
from agents_more import install_cline
from kit import project, write


@pytest.fixture
def make(tmp_path):
    """Return a function that builds a project with Cline and returns its context."""
    return lambda files, home=None: install_cline(tmp_path, project(tmp_path, files, home or {}))


def test_rules_are_one_system_block_sorted_by_name(make):
    files = {
        "AGENTS.md": "agents\n",
        ".clinerules/b.md": "\ufeffb\r\n",
        ".clinerules/a.txt": "---\r\nname: Zed\npaths: ['*.py']\n---\n\nz\n",
        ".clinerules/c.json": "{}",
        ".clinerules/deep/d.md": "d",
        ".cline/rules/B.md": "instead\n",
    }
    home = {
        ".agents/AGENTS.md": "mine\n",
        ".cline/rules/u.md": "u",
        "Documents/Cline/Rules/v.md": "v",
    }
    prompt = compose(make(files, home), "cline")
    (block,) = prompt.blocks()
    assert block.role == "system"
    assert block.text == (
        "# Head\n## B\ninstead\n\n## Global AGENTS.md\nmine\n\n## u\nu\n\n## v\nv\n\n"
        "## Workspace AGENTS.md\nagents\n\n## Zed\nz"
    )
    shadowed = next(item for item in prompt.sources if item.status is Status.SHADOWED)
    assert shadowed.path.name == "b.md"
    assert prompt.version == "3.0.65"


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("---\nname: x\n---\n \n", Status.EMPTY),
        ("", Status.EMPTY),
        ("---\nname: [\n---\nx", Status.UNREADABLE),
        ("---\nname: 3\n---\nx", Status.UNREADABLE),
        ("---\ndisabled: true\n---\nx", Status.IGNORED),
        ("---\nenabled: false\n---\nx", Status.IGNORED),
    ],
)
def test_these_rules_are_left_out(text, status, make):
    prompt = compose(make({".clinerules/a.md": text}), "cline")
    assert prompt.blocks() == []
    assert prompt.sources[0].status is status


def test_a_rule_that_is_off_still_replaces_one_of_the_same_name(make):
    files = {".clinerules/a.md": "a", ".cline/rules/a.md": "---\ndisabled: true\n---\nx"}
    assert compose(make(files), "cline").text == ""


def test_the_folder_can_be_a_file(make):
    assert compose(make({".clinerules": "x"}), "cline").text == "# Head\n## .clinerules\nx"


def test_only_the_working_folder_counts(make):
    ctx = make({"AGENTS.md": "root", ".clinerules/a.md": "a", "sub/x": ""})
    assert compose(ctx.with_(cwd=ctx.cwd / "sub"), "cline").text == ""


def test_names_are_sorted_like_words():
    names = ["b", "a", "B", "\u00e4", "_x", "2", "-y", "az", "A"]
    assert sorted(names, key=sort_key) == ["_x", "-y", "2", "a", "A", "\u00e4", "az", "b", "B"]


def test_without_the_program_the_wording_is_ours(tmp_path):
    prompt = compose(project(tmp_path, {"AGENTS.md": "a"}, {}), "cline")
    assert prompt.exactness is Exactness.OWN_WORDING
    assert prompt.text == "# Instructions\n## Workspace AGENTS.md\na"


def test_files_to_write_to(make):
    ctx = make({})
    runtime = BY_ID["cline"]
    assert runtime.memory_path(ctx, Scope.PROJECT) == ctx.cwd / "AGENTS.md"
    assert runtime.memory_path(ctx, Scope.USER) == ctx.home / ".agents/AGENTS.md"


@pytest.mark.parametrize("end", ["", "/"])
def test_rules_of_the_user_are_in_the_folder_of_the_environment(make, tmp_path, end):
    ctx = make({}, {".cline/rules/u.md": "not this"})
    write(tmp_path / "own", {"rules/v.md": "v"})
    ctx = ctx.with_(env={**ctx.env, "CLINE_DIR": f"{tmp_path / 'own'}{end}"})
    assert compose(ctx, "cline").text == "# Head\n## v\nv"
