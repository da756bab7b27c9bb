"""Skills by their folder: mirrors, the folder of Claude Code, packaged skills, fixtures."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_memory.cli.check import file_selection
from agent_memory.config.context import Context
from agent_memory.config.settings import Settings
from agent_memory.lint.engine import check

_FRONT = "---\nname: deploy\ndescription: deploys the site\n---\n"


def _project(tmp_path: Path, files: dict[str, str], runtime: str = "deepagents-code") -> Context:
    for name, text in files.items():
        path = tmp_path / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    (tmp_path / "project/.git").mkdir()
    settings = Settings(runtime=runtime)
    return Context(tmp_path / "home", tmp_path / "project", settings=settings, env={})


def _codes(ctx: Context) -> list[str]:
    paths = file_selection.given(ctx, [Path()], None)
    return [finding.code for finding in check(ctx, paths).findings]


def test_a_copy_of_a_skill_for_another_agent_is_not_shadowed(tmp_path):
    body = "# Deploy\n\nRun the script.\n"
    ctx = _project(
        tmp_path,
        {
            ".agents/skills/deploy/SKILL.md": _FRONT + body,
            ".claude/skills/deploy/SKILL.md": f"{_FRONT}<!-- copied by a tool -->\n\n{body}",
        },
    )
    assert _codes(ctx) == []


def test_a_different_skill_of_the_same_name_is_shadowed(tmp_path):
    ctx = _project(
        tmp_path,
        {
            ".agents/skills/deploy/SKILL.md": _FRONT + "Run the script.\n\nAsk before.\n",
            ".claude/skills/deploy/SKILL.md": _FRONT + "Use the button.\n\nTell the others.\n",
        },
    )
    assert _codes(ctx) == ["AM111"]


@pytest.mark.parametrize(
    ("front", "runtime", "codes"),
    [
        ("---\ndescription: reviews a change\n---\n", "deepagentsdk", []),
        ("", "deepagentsdk", []),
        ("---\ndescription: reviews a change\n---\n", "deepagents-code", ["AM703"]),
        ("", "deepagents-code", ["AM701"]),
    ],
)
def test_front_matter_is_optional_in_the_folder_of_claude_code(tmp_path, front, runtime, codes):
    ctx = _project(tmp_path, {".claude/skills/review/SKILL.md": f"{front}# Do it\n"}, runtime)
    assert _codes(ctx) == codes


_COLON = "---\nname: tidy\ndescription: Tidies: use it last\n---\n"
_NESTED = "---\nname: tidy\ndescription: Tidies\nargs:\n  - hint: The mode: one\n---\n"
_TOOLS = '---\nname: tidy\ndescription: Tidies\nallowed-tools: "Bash", "Read"\n---\n'


@pytest.mark.parametrize(
    ("folder", "front", "expected"),
    [
        (".claude", "", []),
        (".claude", "---\nname: tidy\ndescription: Tidies\n", ["warning Some agents"]),
        (".claude", "---\ndescription: Tidies\n---\n", []),
        (".claude", _COLON, ["info Some agents"]),
        (".claude", _NESTED, ["warning Some agents"]),
        (".claude", _TOOLS, ["warning Some agents"]),
        (".agents", "", ["error codex does"]),
        (".agents", "---\nname: tidy\ndescription: Tidies\n", ["error codex does"]),
        (".agents", "---\nname: tidy\n---\n", ["error codex does"]),
        (".agents", "---\ndescription: Tidies\n---\n", ["info Some agents"]),
        (".agents", _COLON, ["info Some agents"]),
        (".agents", _TOOLS, ["warning Some agents"]),
        (".deepagents", _COLON, ["error deepagentsdk does"]),
    ],
)
def test_a_guessed_runtime_is_not_named_for_the_folders_of_several_agents(
    tmp_path, folder, front, expected
):
    """As Claude Code 2.1.330 and Codex 0.169.0 do, seen in the list of skills they send."""
    path = f"{folder}/skills/tidy/SKILL.md"
    ctx = _project(tmp_path, {path: f"{front}Tidy.\n", "CLAUDE.md": "- Tidy.\n"}, "auto")
    found = check(ctx, [ctx.cwd / path]).findings
    shown = [f"{item.severity} {' '.join(item.fact.split()[:2])}" for item in found]
    assert shown == expected


def test_the_folder_of_a_packaged_skill_is_not_its_name(tmp_path):
    text = _FRONT + "# Deploy\n\nRun it.\n"
    files = {"src/tool/skill/SKILL.md": text, ".agents/skills/ship/SKILL.md": text}
    ctx = _project(tmp_path, files)
    assert [
        item.path.parent.name for item in check(ctx, [ctx.cwd / name for name in files]).findings
    ] == ["ship"]


@pytest.mark.parametrize("folder", ["tests/fixtures", "Fixtures", "evals/__fixtures__", "testdata"])
def test_fixtures_are_checked_only_when_they_are_named(tmp_path, folder):
    path = f"{folder}/skills/broken/SKILL.md"
    ctx = _project(tmp_path, {path: "# Broken\n"})
    assert file_selection.given(ctx, [Path()], None) == []
    assert file_selection.given(ctx, [Path(folder)], None) == [ctx.cwd / path]


def test_a_symlink_to_a_checked_file_is_not_checked_again(tmp_path):
    ctx = _project(tmp_path, {"AGENTS.md": "# A\n\n- See [x](gone.md).\n"})
    (ctx.cwd / "CLAUDE.md").symlink_to("AGENTS.md")
    assert _codes(ctx) == ["AM502"]
    assert file_selection.given(ctx, [Path("CLAUDE.md")], None) == [ctx.cwd / "CLAUDE.md"]


_ODD = "---\nname: {name}\ndescription: deploys the site\n---\n\nRun the script.\n"


@pytest.mark.parametrize(
    ("path", "name", "severities"),
    [
        (".agents/skills/ship/SKILL.md", "ship.it", ["warning"]),
        (".agents/skills/ship/SKILL.md", "deploy", ["warning"]),
        (".gemini/skills/ship_it/SKILL.md", "ship_it", ["info"]),
        ("plugin/skills/ship/SKILL.md", "Ship It", ["info"]),
        ("skills/ship/SKILL.md", "vendor-ship", []),
        ("skills/ship/SKILL.md", "ship.it", []),
    ],
)
def test_names_count_where_an_agent_looks_for_skills(tmp_path, path, name, severities):
    files = {path: _ODD.format(name=name), "plugin/.claude-plugin/plugin.json": "{}\n"}
    ctx = _project(tmp_path, files)
    found = check(ctx, [ctx.cwd / path]).findings
    assert [item.severity for item in found if item.code == "AM706"] == severities


@pytest.mark.parametrize("front", ["---\ndescription: reviews a change\n---\n", ""])
def test_a_runtime_that_nobody_chose_does_not_make_a_skill_of_claude_code_wrong(tmp_path, front):
    files = {".claude/skills/review/SKILL.md": f"{front}# Do it\n", "AGENTS.md": "# A\n\n- b\n"}
    ctx = _project(tmp_path, files, "auto")
    assert {item.severity for item in check(ctx, [ctx.cwd / next(iter(files))]).findings} <= {
        "info"
    }


@pytest.mark.parametrize(
    ("folder", "count"),
    [("skills/tidy", 1), ("tidy", 1), (".x/skills/tidy", 1), ("src/app/skills/tidy", 0)],
)
@pytest.mark.parametrize("text", ["# Tidy\n", "---\ndescription: tidies\n---\n"])
def test_a_skill_of_an_application_with_its_own_loader_needs_no_front_matter(
    tmp_path, folder, count, text
):
    ctx = _project(tmp_path, {f"{folder}/SKILL.md": text})
    guide = folder == "tidy" and not text.startswith("---")  # a page with this name
    assert len(_codes(ctx)) == (0 if guide else count)


@pytest.mark.parametrize(
    ("folder", "front", "is_reported"),
    [
        ("guides", "", False),  # a page with this name
        ("guides", "---\nname: guides\ndescription: writes harbor logs\n---\n\n", True),
        ("skills/harbor", "", True),
        (".claude/skills/harbor", "", True),  # Claude Code needs no front matter
    ],
)
def test_a_long_page_with_the_name_of_a_skill_is_not_one(tmp_path, folder, front, is_reported):
    text = front + "# Harbor\n\n" + "Moor the boat.\n" * 510
    ctx = _project(tmp_path, {f"{folder}/SKILL.md": text})
    assert ("AM708" in _codes(ctx)) == is_reported


def test_skills_in_groups_are_information_if_nobody_chose_the_runtime(tmp_path):
    text = "---\nname: {0}\ndescription: does {0}\n---\n# X\n\nDo it.\n"
    files = {f".agents/skills/group/{name}/SKILL.md": text.format(name) for name in "ab"}
    files["AGENTS.md"] = "# A\n\n- Use b.\n"
    severities = [
        [item.severity for item in check(_project(tmp_path / runtime, files, runtime)).findings]
        for runtime in ("deepagents-code", "auto")
    ]
    assert severities == [["error", "error"], ["info"]]


@pytest.mark.parametrize("place", ["repo", "skills/repo"])
def test_a_checkout_below_a_folder_of_skills_changes_nothing(tmp_path, place):
    files = {"AGENTS.md": "- a\n", ".claude/skills/deploy/SKILL.md": "---\ndescription\n---\n"}
    assert _codes(_project(tmp_path / place, files, "codex")) == ["AM701"]
