"""Gemini CLI: discovery, imports in place, and the two blocks."""

from __future__ import annotations

import os

import pytest

from agent_memory.base.model import Exactness, Status
from agent_memory.prompt.compose import compose
from agent_memory.runtimes.agents import gemini_cli
from agents_kit import install_gemini
from kit import project, write


@pytest.fixture
def make(tmp_path):
    """Return a function that builds a project with Gemini CLI and returns its context."""

    def build(files, home=None, cwd="."):
        ctx = install_gemini(tmp_path, project(tmp_path, files, home or {}))
        (ctx.cwd / cwd).mkdir(parents=True, exist_ok=True)
        return ctx.with_(cwd=(ctx.cwd / cwd).resolve())

    return build


def text(ctx):
    """Return the text of the project's files without the wrapper."""
    inside = compose(ctx, "gemini-cli").text.partition(">>\n")[2]
    return inside.rpartition("\nEND ")[0]


def test_the_user_is_in_a_system_block_and_the_project_in_a_user_block(make):
    files = {"GEMINI.md": "\n root\n", "sub/GEMINI.md": "sub"}
    ctx = make(files, {".gemini/GEMINI.md": "me"}, "sub")
    user, root = ctx.home / ".gemini/GEMINI.md", ctx.cwd.parent / "GEMINI.md"
    own = ctx.cwd / "GEMINI.md"
    prompt = compose(ctx, "gemini-cli", "BASE")
    system, mine, project = prompt.blocks()
    assert system == ("system", "BASE")
    assert mine == (
        "system",
        f"<loaded_context>\n<< {user} >>\nme\nEND {user} .\n</loaded_context>",
    )
    assert project.role == "user"
    assert project.text == (
        f"<loaded_context>\n<project_context>\n<< {root} >>\nroot\nEND {root} .\n\n"
        f"<< {own} >>\nsub\nEND {own} .\n</project_context>\n</loaded_context>"
    )
    piece = next(item for item in prompt.segments if item.path == root)
    assert (piece.text, piece.line) == ("root", 1)


def test_only_known_names_between_the_root_and_the_working_folder_are_read(make, tmp_path):
    write(tmp_path, {"GEMINI.md": "above"})
    files = {"GEMINI.md": "root", ".gemini/GEMINI.md": "no", "sub/below/GEMINI.md": "below"}
    ctx = make(files, {}, "sub")
    assert text(ctx) == "root"
    settings = '{"context": {"fileName": ["AGENTS.md", "GEMINI.md", 3]}}'
    write(ctx.cwd.parent, {"AGENTS.md": "agents"})
    write(ctx.home, {".gemini/settings.json": settings})
    assert "agents" in text(ctx)


@pytest.mark.parametrize("settings", ["", "[", '{"context": 3}', '{"context": {"fileName": 3}}'])
def test_invalid_settings_are_treated_as_missing(settings, make):
    assert text(make({"GEMINI.md": "g"}, {".gemini/settings.json": settings})) == "g"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("a @x.md b", "a IN x.md:\nX\n\nOUT x.md; b"),
        ("@gone.md", "BAD gone.md - ENOENT: no such file or directory, access '{0}/gone.md' !"),
        ("@docs", "BAD docs - EISDIR: illegal operation on a directory, read !"),
        ("@../out.md", "BAD ../out.md OUT"),
        ("@https://x.md", "BAD https://x.md OUT"),
        ("`@x.md` ```\n@x.md\n``` a@x.md (@x.md) @1", "`@x.md` ```\n@x.md\n``` a@x.md (@x.md) @1"),
        ("<!-- @x.md -->", "<!-- IN x.md:\nX\n\nOUT x.md; -->"),
        ("@x.md @x.md", "IN x.md:\nX\n\nOUT x.md; IN x.md:\nX\n\nOUT x.md;"),
        ("@self.md", "IN self.md:\nSEEN self.md !\nOUT self.md;"),
    ],
)
def test_an_import_is_replaced_in_place(content, expected, make):
    ctx = make({"GEMINI.md": content, "x.md": "X\n", "self.md": "@self.md", "docs/d": ""})
    assert text(ctx) == expected.format(ctx.cwd)


def test_imports_are_followed_five_deep(make):
    files = {f"{number}.md": f"@./{number + 1}.md" for number in range(1, 8)}
    ctx = make({"GEMINI.md": "@./1.md", **files})
    assert "IN ./5.md:\n@./6.md\nOUT" in text(ctx)


def test_imports_are_listed_with_what_becomes_of_them(make):
    ctx = make({"GEMINI.md": "@x.md @gone.md @../out.md", "x.md": "X"})
    found = {item.path.name: item for item in compose(ctx, "gemini-cli").sources}
    assert found["x.md"].status is Status.LOADED
    assert "ENOENT" in found["gone.md"].reason
    assert found["out.md"].refusal == "it is outside of the project"
    assert (
        found["out.md"].reason == f"imported by {ctx.cwd / 'GEMINI.md'}: {found['out.md'].refusal}"
    )
    assert found["x.md"].refusal == ""


def test_one_real_file_is_read_once(make):
    ctx = make({"GEMINI.md": "g", "sub/x": ""}, {}, "sub")
    (ctx.cwd / "GEMINI.md").symlink_to("../GEMINI.md")
    states = [
        item.status for item in compose(ctx, "gemini-cli").sources if "home" not in str(item.path)
    ]
    assert states == [Status.LOADED, Status.SHADOWED]


def test_flat_imports_are_not_exact(make, monkeypatch):
    ctx = make(
        {"GEMINI.md": "g"}, {".gemini/settings.json": '{"context": {"importFormat": "flat"}}'}
    )
    monkeypatch.setattr("agent_memory.runtimes.agents.program_pieces.digest", lambda _: "1")
    monkeypatch.setitem(gemini_cli.PIECES.known, "1", ("0.61.0", "0.61.0"))
    prompt = compose(ctx, "gemini-cli")
    assert prompt.exactness is Exactness.UNVERIFIED
    assert "importFormat" in prompt.problems[0].message


@pytest.mark.parametrize("make_odd", [os.mkdir, os.mkfifo, lambda path: path.symlink_to(path)])
def test_anything_may_be_in_place_of_an_import(make_odd, make):
    ctx = make({"GEMINI.md": "@odd.md"})
    make_odd(ctx.cwd / "odd.md")
    assert "BAD odd.md" in text(ctx)


def test_the_system_instruction_has_at_most_one_blank_line_in_a_row(make):
    many = "a\n\n\n\nb\r\n\r\n\r\nc"
    prompt = compose(make({"GEMINI.md": many}, {".gemini/GEMINI.md": many}), "gemini-cli")
    mine, project = prompt.blocks()
    assert "\na\n\nb\r\n\r\n\r\nc\n" in mine.text
    assert f"\n{many}\n" in project.text
    lines = {item.line for item in prompt.segments if item.kind == "user"}
    assert lines == {0, 4}


def test_a_broken_link_in_the_program_is_skipped(tmp_path):
    ctx = install_gemini(tmp_path, project(tmp_path, {"GEMINI.md": "g"}, {}))
    (tmp_path / "lib/node_modules/@google/gemini-cli/bundle/a.js").symlink_to("nowhere")
    assert compose(ctx, "gemini-cli").exactness is not Exactness.OWN_WORDING
