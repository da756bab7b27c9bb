"""deepagents for JavaScript: the listed files in the template of the package."""

from __future__ import annotations

import pytest

from agent_memory.base.model import Exactness, Status
from agent_memory.prompt.compose import compose
from agent_memory.runtimes.selection import choose
from agents_more import install_deepagents
from kit import project, with_settings, write


@pytest.fixture
def make(tmp_path):
    """Return a function that builds a project with the package and returns its context."""
    return lambda files, home=None: install_deepagents(
        tmp_path, project(tmp_path, files, home or {})
    )


def test_the_files_of_deepagents_code_in_the_template(make):
    files = {".deepagents/AGENTS.md": "a <!-- c -->\r\n", "AGENTS.md": b"\xef\xbb\xbfb\xff"}
    ctx = make(files, {".deepagents/agent/AGENTS.md": "me\n"})
    assert compose(ctx, "deepagents-js").text == (
        f"<m>\n{ctx.home}/.deepagents/agent/AGENTS.md\nme\n\n\n"
        f"{ctx.cwd}/.deepagents/AGENTS.md\na <!-- c -->\r\n\n\n"
        f"{ctx.cwd}/AGENTS.md\nb\ufffd\n</m>\n\nUse `edit`.\n  More."
    )


def test_nothing_loaded_is_said_in_the_template(make):
    prompt = compose(make({"AGENTS.md": ""}), "deepagents-js")
    assert prompt.text.startswith("<m>\n(No memory loaded)\n</m>")
    assert Status.EMPTY in {item.status for item in prompt.sources}


def test_patterns_of_replace_are_filled(make):
    ctx = make({"AGENTS.md": "1 $$ $1\n2 $& $` $'\n3"})
    prompt = compose(ctx, "deepagents-js")
    tail = "\n</m>\n\nUse `edit`.\n  More."
    assert f"1 $ $1\n2 {{memory_contents}} <m>\n {tail}\n3{tail}" in prompt.text
    parts = {part.text: part.line for part in prompt.segments if part.path}
    assert parts["\n3"] == 1


def test_listed_files_replace_the_usual_ones(make):
    ctx = with_settings(make({"AGENTS.md": "a", "x.md": "x"}), sources=["x.md"])
    assert "\nx.md\nx\n" in compose(ctx, "deepagents-js").text


def test_a_package_in_the_project_is_found_and_chosen(tmp_path):
    manifest = '{"name": "deepagents", "version": "1.14.1"}'
    ctx = project(tmp_path, {"AGENTS.md": "a"}, {})
    write(ctx.cwd, {"node_modules/deepagents/package.json": manifest})
    assert choose(ctx)[1].runtime.id == "deepagents-js"
    prompt = compose(ctx, "deepagents-js")
    assert prompt.exactness is Exactness.OWN_WORDING
    assert "deepagents 1.14.1 in project/node_modules" in prompt.origin
    assert "\na\n</agent_memory>" in prompt.text
