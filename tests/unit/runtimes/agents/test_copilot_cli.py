"""Copilot CLI: elements, imports, instructions with and without a pattern."""

from __future__ import annotations

import pytest

from agent_memory.base.model import Exactness, Role, Scope, Status
from agent_memory.prompt.compose import compose
from agent_memory.runtimes import BY_ID
from agents_more import install_copilot
from kit import project


@pytest.fixture
def make(tmp_path):
    """Return a function that builds a project with Copilot CLI and returns its context."""

    def build(files, home=None, cwd="."):
        ctx = install_copilot(tmp_path, project(tmp_path, files, home or {}))
        (ctx.cwd / cwd).mkdir(parents=True, exist_ok=True)
        return ctx.with_(cwd=(ctx.cwd / cwd).resolve())

    return build


def text_of(ctx):
    (block,) = compose(ctx, "copilot-cli").blocks()
    assert block.role == "system"
    return block.text


def element(text):
    return f"<custom_instruction>\n{text}\n</custom_instruction>"


def test_user_root_working_folder_and_then_the_folders_between(make):
    files = {
        ".github/copilot-instructions.md": "gh",
        "AGENTS.md": "root",
        "a/AGENTS.md": "a",
        "a/.github/copilot-instructions.md": "gh a",
        "a/.claude/CLAUDE.md": "claude",
        "a/GEMINI.md": "gemini",
        ".claude/CLAUDE.md": "not read",
        "a/b/AGENTS.md": "b",
        "a/b/c/AGENTS.md": "c",
        "a/b/c/.github/copilot-instructions.md": "gh c",
    }
    ctx = make(files, {".copilot/copilot-instructions.md": "me"}, "a/b/c")
    order = ("me", "gh", "gh c", "root", "c", "b", "gh a", "a", "claude", "gemini")
    assert text_of(ctx) == "\n\n".join(map(element, order))


def test_equal_texts_are_sent_once(make):
    prompt = compose(
        make({"AGENTS.md": "a\n", "CLAUDE.md": "a\n", "GEMINI.md": "a"}), "copilot-cli"
    )
    assert prompt.text == f"{element('a' + chr(10))}\n\n{element('a')}"
    states = {item.path.name: item for item in prompt.sources}
    assert states["CLAUDE.md"].status is Status.SHADOWED
    assert "AGENTS.md has the same text" in states["CLAUDE.md"].reason


def test_an_empty_file_is_an_element_and_a_folder_is_none(make):
    ctx = make({"AGENTS.md": "", "CLAUDE.md/x": ""})
    assert text_of(ctx) == element("")


def imported(path, text):
    return (
        f'\n\n<imported_custom_instruction source="{path}">\n{text}\n</imported_custom_instruction>'
    )


def seen(path):
    return f'\n\n<imported_custom_instruction source="{path}" skipped="already-loaded" />'


def test_an_import_follows_its_path_and_is_sent_once_per_file(make):
    ctx = make(
        {"AGENTS.md": "x @a.md, (@a.md) end", "a.md": "\ufeffA @b.md \n\n", "b.md": "B @a.md"}
    )
    a, b = ctx.cwd / "a.md", ctx.cwd / "b.md"
    inner = f"A @b.md{imported(b, f'B @a.md{seen(a)}')}"
    assert text_of(ctx) == element(f"x @a.md{imported(a, inner)}, (@a.md{seen(a)}) end")
    notes = [item.path for item in compose(ctx, "copilot-cli").sources if item.role is Role.NOTE]
    assert notes == [a, b]


@pytest.mark.parametrize(
    "text",
    [
        "`see @a.md`",
        "```\n@a.md\n```",
        "~~~\n```\n@a.md\n~~~",
        "  ```\n@a.md",
        "x@a.md",
        "_@a.md_",
        "**@a.md**",
        "@~/a.md",
        "@../a.md",
        "@/a.md",
        "@a",
        "@docs/",
        "@missing.md",
        "@a.md#part",
        "@a.md:1",
    ],
)
def test_these_are_not_imported(text, make):
    ctx = make({"AGENTS.md": text, "a.md": "A", "a": "A", "docs/x": ""}, {"a.md": "A"})
    assert text_of(ctx) == element(text)


@pytest.mark.parametrize("text", ['"@a.md"', "<b>@a.md</b>", "    @a.md", "`a\n@a.md b`", "@a.md."])
def test_these_are_imported(text, make):
    ctx = make({"AGENTS.md": text, "a.md": "A"})
    assert imported(ctx.cwd / "a.md", "A") in text_of(ctx)


@pytest.mark.parametrize("name", ["GEMINI.md", ".github/copilot-instructions.md"])
def test_other_files_import_nothing(name, make):
    assert text_of(make({name: "@a.md", "a.md": "A"})) == element("@a.md")


def test_eight_imports_in_a_row_are_followed(make):
    files = {f"{number}.md": f"{number} @{number + 1}.md" for number in range(1, 12)}
    text = text_of(make({"AGENTS.md": "@1.md", **files}))
    assert "8 @9.md\n</imported" in text


def rule(value, key="applyTo"):
    return f"---\n{key}: {value}\n---\nx\n"


FOR_EVERY_FILE = ["'**'", "'**/*'", "'*'", "''", "[]", "5", "'**, *'", "['**', '*']", "{a: b}"]
NOT_YAML_FOR_EVERY_FILE = [
    "**",
    "*",
    "**/*",
    "**, **",
    "\n  - **/*.py",
    "'\nx: *",
    "**\nexcludeAgent: coding-agent",
]
HIDDEN_PATHS = ["''\npaths: '*.py'", "\npaths: '*.py'"]


@pytest.mark.parametrize("value", [*FOR_EVERY_FILE, *NOT_YAML_FOR_EVERY_FILE, *HIDDEN_PATHS])
def test_instructions_for_every_file_are_sent_with_their_front_matter(value, make):
    files = {"AGENTS.md": "a", ".github/instructions/a.instructions.md": rule(value)}
    assert text_of(make(files)) == f"{element('a')}\n\n{rule(value)}\n"


TABLE = "All of these.\nRead them.\nNow.\nThen.\nGo.\n| P | F |\n| --- | --- |\n"


@pytest.mark.parametrize(
    ("value", "pattern"),
    [
        ("'*.py'", "*.py"),
        ("'**,*.py'", "**, *.py"),
        ("['a.py', 'b.py']", "a.py, b.py"),
        ("[['x'], 'l,m', 5]", "l,m"),
        ("'{a,b}.py'", "{a,b}.py"),
        ("'{a,{b,c}},d'", "{a,{b,c}}, d"),
        ("'a|b\\c'", "a\\|b\\\\c"),
    ],
)
def test_instructions_with_a_pattern_are_rows_of_a_table(value, pattern, make):
    path = ".github/instructions/deep/a.instructions.md"
    ctx = make({path: f"---\napplyTo: {value}\ndescription: d\n---\nx\n"})
    assert text_of(ctx) == f"{TABLE}| {pattern} | '{path}' | d |"
    (source,) = (item for item in compose(ctx, "copilot-cli").sources if item.path.name[0] == "a")
    assert source.status is Status.LISTED


@pytest.mark.parametrize(
    ("front", "pattern"),
    [
        ("applyTo: *.py", "*.py"),
        ("applyTo: **/*.ts,**/*.tsx", "**/*.ts, **/*.tsx"),
        ("applyTo: **/*.ts # c", "**/*.ts"),
        ("applyTo: [unclosed", "[unclosed"),
        ("applyTo: *.py\nexcludeAgent: coding-agent", "*.py"),
        ("paths: a.py\napplyTo: *.py", "*.py"),
        ("applyTo: ''\npaths: *.py", "*.py"),
        ("applyTo:\napplyTo: *.py\napplyTo: *.js", "*.py"),
        ("applyTo: {a,b", "{a,b"),
        ("applyTo:*.js\npaths:\t*.py", "*.py"),
        ("x: *\napplyTo: '*.py'", "*.py"),
        ("x: *\napplyTo: '*.py' # c", "'*.py'"),
    ],
)
def test_of_front_matter_that_is_not_yaml_only_the_pattern_is_read(front, pattern, make):
    path = ".github/instructions/a.instructions.md"
    ctx = make({path: f"---\n{front}\ndescription: d\n---\nx\n"})
    assert text_of(ctx) == f"{TABLE}| {pattern} | '{path}' |  |"


def test_rules_of_claude_code_follow_and_paths_count_as_well(make):
    files = {
        ".claude/rules/b.md": "always",
        ".claude/rules/a/x.md": rule("'*.py'", "paths"),
        "sub/.github/instructions/s.instructions.md": "sub",
        ".github/instructions/r.instructions.md": "root",
    }
    user = {".copilot/instructions/u.instructions.md": "user"}
    text = text_of(make(files, user, "sub"))
    assert text.startswith("user\n\nroot\n\nalways\n\nsub\n\nAll of")
    assert text.endswith("| *.py | '.claude/rules/a/x.md' |  |")


def test_instructions_can_exclude_the_agent(make):
    text = "---\nexcludeAgent: coding-agent\n---\nx"
    prompt = compose(make({".github/instructions/a.instructions.md": text}), "copilot-cli")
    assert prompt.blocks() == []
    assert Status.IGNORED in {item.status for item in prompt.sources}


def test_without_git_only_the_working_folder_counts(tmp_path):
    ctx = project(tmp_path, {"AGENTS.md": "root", "sub/AGENTS.md": "sub"}, {})
    (ctx.cwd / ".git/HEAD").unlink()
    (ctx.cwd / ".git").rmdir()
    assert text_of(ctx.with_(cwd=ctx.cwd / "sub")) == element("sub")


def test_without_the_unpacked_module_the_wording_is_ours(make, tmp_path):
    ctx = make({".claude/rules/a.md": rule("'*.py'", "paths")})
    (tmp_path / "cache/copilot").rename(tmp_path / "cache/other")
    prompt = compose(ctx, "copilot-cli")
    assert prompt.exactness is Exactness.OWN_WORDING
    assert prompt.text.endswith("| *.py | '.claude/rules/a.md' |  |")


def test_files_to_write_to(make):
    ctx = make({})
    runtime = BY_ID["copilot-cli"]
    project_file = ctx.cwd / ".github/copilot-instructions.md"
    assert runtime.memory_path(ctx, Scope.PROJECT) == project_file
    user = ctx.home / ".copilot/copilot-instructions.md"
    assert runtime.memory_path(ctx, Scope.USER) == user
