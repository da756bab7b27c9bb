"""A report has one finding for one cause; an editor shows all of them."""

from __future__ import annotations

import pytest

from agent_memory.cli.check import file_selection
from agent_memory.lint import baseline
from agent_memory.lint.engine import check, file_findings, project_findings
from agent_memory.lint.open_project import open_project
from kit import project, with_settings

LINK = "See [x](gone.md).\n"
SKILL = "---\nname: x\ndescription: d\n---\n\n# X\n\n"


def found(ctx, **options):
    paths = file_selection.given(ctx, [ctx.cwd], None)
    return [
        (item.path.relative_to(ctx.cwd).as_posix(), item.code, len(item.related))
        for item in check(ctx, paths, **options).findings
    ]


def fact(ctx):
    return check(ctx, file_selection.given(ctx, [ctx.cwd], None)).findings[0].fact


def test_copy_of_a_file(tmp_path):
    text = f"# A\n\n- {LINK}- Use tabs\n- Use spaces\n"
    ctx = project(tmp_path, {"AGENTS.md": text, "GEMINI.md": text}, {})
    assert found(ctx) == [("AGENTS.md", "AM502", 1), ("AGENTS.md", "AM602", 2)]
    assert fact(ctx).endswith("(also in 1 other place)")


def test_copies_of_a_skill_for_several_agents(tmp_path):
    mirrors = (".agents", ".claude", ".cursor")
    head = {".agents": "", ".claude": "", ".cursor": "<!-- copied -->\n\n"}
    body = "See [x](ref/gone.md), `make x`.\n"
    files = {f"{name}/skills/x/SKILL.md": SKILL + head[name] + body for name in mirrors}
    assert found(project(tmp_path, files, {})) == [(".agents/skills/x/SKILL.md", "AM502", 2)]


def test_one_target_in_several_files_and_lines(tmp_path):
    ctx = project(
        tmp_path,
        {"AGENTS.md": f"# A\n\n- {LINK}- Also {LINK}", "api/AGENTS.md": "See [x](../gone.md).\n"},
        {},
    )
    assert found(ctx) == [("AGENTS.md", "AM502", 2)]
    assert fact(ctx).endswith("(also in 2 other places)")


def test_one_long_chain(tmp_path):
    big, small = "- one more line of notes\n" * 100, "# Part\n\n- short\n"
    files = {"AGENTS.md": f"# A\n\n{big}", "a/AGENTS.md": small, "a/b/AGENTS.md": small}
    ctx = with_settings(project(tmp_path, files, {}), chain_bytes=1000)
    assert ("a/AGENTS.md", "AM304", 1) in found(ctx)
    assert sum(code == "AM304" for _, code, _ in found(ctx)) == 1


@pytest.mark.parametrize(
    "files",
    [
        {"AGENTS.md": "See [x](gone.md).\n", "api/AGENTS.md": "See [x](gone.md).\n"},
        {"AGENTS.md": "See [x](gone.md).\n", "GEMINI.md": "See [x](lost.md).\n"},
    ],
)
def test_different_causes_stay_apart(tmp_path, files):
    assert [related for _, _, related in found(project(tmp_path, files, {}))] == [0, 0]


def test_everything_is_there_for_an_editor_and_a_baseline(tmp_path):
    files = {"AGENTS.md": LINK, "GEMINI.md": LINK}
    ctx = project(tmp_path, files, {})
    assert len(found(ctx, known=baseline.NOTHING)) == 2
    opened = open_project(ctx, None, [ctx.cwd / name for name in files])
    across = project_findings(opened)
    assert [len(file_findings(opened, path, across.get(path, ()))) for path in opened.files] == [
        1,
        1,
    ]
