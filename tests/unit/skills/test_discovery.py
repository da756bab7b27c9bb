"""Skills: order, overriding, and every reason why one is not loaded."""

from __future__ import annotations

import pytest

from agent_memory.base.model import Scope, Status
from agent_memory.fs.reader import decode
from agent_memory.prompt.compose import compose
from agent_memory.skills.discovery import (
    CLI,
    SkillFolder,
    discover,
    sources_of,
)
from agent_memory.skills.skill_file import SkillFile, name_warning, parse
from kit import project, with_settings


def front(name, description="Does it", more=""):
    return f"---\nname: {name}\ndescription: {description}\n{more}---\n\nbody\n"


def read(text, **options):
    raw = text if isinstance(text, bytes) else text.encode()
    return parse(decode(None, raw), **options)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("# no front\n", "does not begin with front matter"),
        ("--- # comment\nname: a\n---\n", "does not begin with front matter"),
        ("----\nname: a\n---\n", "does not begin with front matter"),
        ("\n" + front("a"), "whitespace precedes"),
        ("\ufeff" + front("a"), "byte order mark"),
        ("---\nname: a\ndescription: b\n", "not closed"),
        ("---\nname: a\ndescription: b\n---", "no newline follows"),
        (front("a", "x: y: z"), "not valid YAML (line 3)"),
        ("---\ndescription: b\n---\n", "`name` is missing"),
        ("---\nname: a\ndescription: ''\n---\n", "`description` is missing"),
        ("---\n- a\n---\n", "not a mapping"),
        (b"---\nname: caf\xe9\n---\n", "not valid UTF-8"),
        (front("a", more="x: !tag y\n"), "not valid YAML"),
        ("x" * (10 * 1024 * 1024 + 1), "over 10 MiB"),
    ],
)
def test_each_hard_skip_has_its_reason(text, why):
    assert why in read(text)


@pytest.mark.parametrize(
    ("written", "tools"),
    [
        ("[read_file, ' shell ', '', 3]", ("read_file", "shell")),
        ("read_file, shell", ("read_file", "shell")),
        ("3", ()),
    ],
)
def test_allowed_tools_are_a_list_or_words(written, tools):
    assert read(front("a", more=f"allowed-tools: {written}\n")).tools == tools


def test_a_key_in_quotes_is_read_and_has_no_line_of_its_own():
    found = read('---\nname: a\n"description": Does it\n---\n')
    assert found.description == "Does it"


@pytest.mark.parametrize(
    ("written", "is_read"),
    [("yes", "True"), ("null", "None"), ("010", "8"), ("1.5e3", "1.5e3"), ("1:30", "90")],
)
def test_values_are_those_of_yaml_1_1_made_text(written, is_read):
    assert read(front(written)).name == is_read


def test_of_a_key_that_is_given_twice_the_last_value_counts():
    assert read(front("a", more="name: b\n")).name == "b"


def test_deepagents_cli_takes_no_value_for_none_and_keeps_blanks():
    assert "`name` is missing" in read(front("no"), tidies=False)
    assert read(front("' a '"), tidies=False).name == " a "
    assert read(front("' a '")).name == "a"


def test_the_description_leads_to_its_line():
    file = read("---\nlicense: MIT\nname: a\ndescription: b\nallowed-tools: x, y z\n---\n")
    assert file == SkillFile("a", "b", "MIT", "", ("x", "y", "z"), tools_listed=False, line=3)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("release", ""),
        ("caf\u00e9", "the folder"),
        ("n" * 65, "65 characters"),
        ("Release", "lowercase"),
        ("a--b", "lowercase"),
        ("-a", "lowercase"),
        ("a b", "lowercase"),
        ("other", "the folder is 'release'"),
    ],
)
def test_names_that_load_with_a_warning(name, said):
    found = name_warning(name, "release", ascii_only=False)
    assert bool(found) == bool(said)
    assert said in found


def folder(path, scope=Scope.PROJECT):
    return SkillFolder(path, path.name, scope)


def test_the_later_folder_wins_at_the_position_of_the_first(tmp_path):
    files = {
        "low/a/SKILL.md": front("a", "low"),
        "low/b/SKILL.md": front("b", "low"),
        "high/a/SKILL.md": front("a", "high"),
        "high/c/SKILL.md": front("c", "high"),
    }
    ctx = project(tmp_path, files, {})
    found = discover(ctx, [folder(ctx.cwd / "low"), folder(ctx.cwd / "high")])
    listed = [(item.name, item.file.description) for item in found if item.status == "listed"]
    assert listed == [("a", "high"), ("b", "low"), ("c", "high")]
    lost = found[-1]
    assert (lost.status, "high/a/SKILL.md has the same name" in lost.reason) == (
        Status.SHADOWED,
        True,
    )
    assert [item.order for item in sources_of(found)] == [1, 2, 3, None]


def test_what_looks_like_a_skill_is_named_with_a_fix(tmp_path):
    files = {
        "s/SKILL.md": front("s"),
        "s/deep/er/SKILL.md": front("er"),
        "s/lower/skill.md": front("lower"),
        "s/none/README.md": "x",
    }
    ctx = project(tmp_path, files, {})
    found = {
        item.path.relative_to(ctx.cwd).as_posix(): item
        for item in discover(ctx, [folder(ctx.cwd / "s")])
    }
    assert "move it to a folder of its own" in found["s/SKILL.md"].reason
    assert "move er to" in found["s/deep/er/SKILL.md"].reason
    if "s/lower/skill.md" in found:
        assert "case-sensitive" in found["s/lower/skill.md"].reason
    assert all(item.status is not Status.LISTED for item in found.values() if item.name != "lower")
    assert "s/none/README.md" not in found


def test_symlinks_are_followed_as_each_runtime_does(tmp_path):
    files = {"out/far/SKILL.md": front("far"), "s/near/SKILL.md": front("near"), "s/file/x": ""}
    ctx = project(tmp_path, files, {})
    (ctx.cwd / "s/far").symlink_to("../out/far")
    (ctx.cwd / "s/file/SKILL.md").symlink_to("../near/SKILL.md")
    folders = [folder(ctx.cwd / "s")]
    sdk = {item.path.parent.name: item.status for item in discover(ctx, folders)}
    assert sdk == {"far": "listed", "near": "listed", "file": "unreadable"}
    cli = {item.path.parent.name: item.status for item in discover(ctx, folders, CLI)}
    assert cli["far"] == "unreadable"
    assert "unreadable" not in (cli["near"], cli["file"])


def test_deepagents_code_names_its_folders_and_warns_of_missing_ones(tmp_path):
    ctx = project(tmp_path, {".deepagents/skills/a/SKILL.md": front("a")}, {})
    text = compose(ctx, "deepagents-code").text
    assert f"**Project Deepagents Skills**: `{ctx.cwd}/.deepagents/skills`" in text
    assert f"- **a**: Does it\n  -> Read `{ctx.cwd}/.deepagents/skills/a/SKILL.md`" in text
    assert "<skill_load_warnings>" in text
    assert f"{ctx.home}/.agents/skills&#x27;: path_not_found" in text


def test_the_deprecated_folder_of_the_plan_is_between_the_agents_and_the_projects(tmp_path):
    ctx = project(
        tmp_path,
        {".deepagents/skills/b/SKILL.md": front("b", "project")},
        {
            ".deepagents/agent/skills/a/SKILL.md": front("a", "agent"),
            "old/a/SKILL.md": front("a", "old"),
            "old/b/SKILL.md": front("b", "old"),
        },
    )
    prompt = compose(with_settings(ctx, skill_folders=[str(ctx.home / "old")]), "deepagentsdk")
    listed = [item.path.parent.parent for item in prompt.sources if item.status == "listed"]
    assert listed == [ctx.home / "old", ctx.cwd / ".deepagents/skills"]
    notice = "userSkillsDir is deprecated and no longer read from version 1.0 on"
    assert [notice in item.message for item in prompt.problems] == [True, True]
