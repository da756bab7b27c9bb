"""agent.md runtimes: the plan of deepagentsdk and deepagents-cli, on real files."""

from __future__ import annotations

import pytest

from agent_memory.base.model import Status
from agent_memory.fs.reader import SIZE_CAP
from agent_memory.prompt.compose import compose
from kit import project, with_settings

BOTH = ("deepagentsdk", "deepagents-cli")
EMPTY = (
    "<user_memory>\n(No user agent.md)\n</user_memory>\n\n"
    "<project_memory>\n(No project agent.md)\n</project_memory>"
)
USER = ".deepagents/agent/agent.md"
PROJECT = ".deepagents/agent.md"


def snippet(user, memory):
    return f"<user_memory>\n{user}\n</user_memory>\n\n<project_memory>\n{memory}\n</project_memory>"


@pytest.mark.parametrize("runtime", BOTH)
@pytest.mark.parametrize("content", [None, ""])
def test_a_missing_and_an_empty_file_show_the_same_placeholder(runtime, content, tmp_path):
    files = {} if content is None else {PROJECT: content}
    home = {} if content is None else {USER: content}
    assert EMPTY in compose(project(tmp_path, files, home), runtime).text


@pytest.mark.parametrize("runtime", BOTH)
@pytest.mark.parametrize("content", [" \n", "{user_memory} {{x}} {", "</user_memory>", "\ufeffa\n"])
def test_all_other_content_is_inserted_unchanged(runtime, content, tmp_path):
    ctx = project(tmp_path, {PROJECT: "p"}, {USER: content})
    assert snippet(content, "p") in compose(ctx, runtime).text


def test_deepagents_cli_converts_newlines_to_line_feeds_and_the_plan_keeps_them(tmp_path):
    ctx = project(tmp_path, {}, {USER: "a\r\nb\rc\n"})
    assert "<user_memory>\na\nb\nc\n\n</user_memory>" in compose(ctx, "deepagents-cli").text
    assert "<user_memory>\na\r\nb\rc\n\n</user_memory>" in compose(ctx, "deepagentsdk").text


def test_invalid_utf8_is_a_placeholder_in_deepagents_cli_and_replaced_in_the_plan(tmp_path):
    ctx = project(tmp_path, {}, {USER: b"caf\xe9\n"})
    cli, plan = compose(ctx, "deepagents-cli"), compose(ctx, "deepagentsdk")
    assert EMPTY in cli.text
    assert "silently treats it as missing" in cli.problems[0].message
    assert "<user_memory>\ncaf\ufffd\n" in plan.text
    assert "U+FFFD" in plan.sources[0].reason


def test_a_folder_in_place_of_the_file_is_treated_as_missing_and_reported(tmp_path):
    ctx = project(tmp_path, {f"{PROJECT}/x": ""}, {})
    for runtime in BOTH:
        prompt = compose(ctx, runtime)
        assert EMPTY in prompt.text
        assert any("this is a folder" in item.message for item in prompt.problems)


def test_symlinks_are_followed(tmp_path):
    ctx = project(tmp_path, {"x.md": "linked"}, {".deepagents/agent/y": ""})
    (ctx.home / USER).symlink_to(ctx.cwd / "x.md")
    for runtime in BOTH:
        assert snippet("linked", "(No project agent.md)") in compose(ctx, runtime).text


def test_the_plan_reads_the_preferred_file_else_the_roots(tmp_path):
    ctx = project(tmp_path, {"agent.md": "root"}, {})
    assert snippet("(No user agent.md)", "root") in compose(ctx, "deepagentsdk").text
    ctx = project(tmp_path, {"agent.md": "root", PROJECT: ""}, {})
    prompt = compose(ctx, "deepagentsdk")
    assert EMPTY in prompt.text, "an empty preferred file still shadows the root file"
    assert [item.status for item in prompt.sources[1:3]] == [Status.EMPTY, Status.SHADOWED]


def test_the_roots_file_is_shadowed_by_a_folder_but_not_by_a_symlink_loop(tmp_path):
    ctx = project(tmp_path, {"agent.md": "root", f"{PROJECT}/x": ""}, {})
    assert EMPTY in compose(ctx, "deepagentsdk").text
    ctx = project(tmp_path / "other", {"agent.md": "root", ".deepagents/x": ""}, {})
    (ctx.cwd / PROJECT).symlink_to("agent.md")
    assert snippet("(No user agent.md)", "root") in compose(ctx, "deepagentsdk").text


def test_deepagents_cli_never_reads_the_roots_file(tmp_path):
    ctx = project(tmp_path, {"agent.md": "root"}, {})
    prompt = compose(ctx, "deepagents-cli")
    assert EMPTY in prompt.text
    assert f"`{ctx.cwd}` (no agent.md found)" in prompt.text
    assert [item.status for item in prompt.sources][-1] is Status.IGNORED


def test_a_git_file_is_a_project_for_deepagents_cli_but_not_for_the_plan(tmp_path):
    ctx = project(tmp_path, {f"w/{PROJECT}": "w", "w/.git": "gitdir: ../.git\n"}, {})
    ctx = ctx.with_(cwd=ctx.cwd / "w")
    assert snippet("(No user agent.md)", "w") in compose(ctx, "deepagents-cli").text
    plan = compose(ctx, "deepagentsdk")
    assert EMPTY in plan.text
    assert plan.problems[0].path == ctx.cwd / ".git"
    assert f"uses {ctx.cwd.parent} as the project" in plan.problems[0].message


def test_without_a_project_the_guide_says_so(tmp_path):
    ctx = project(tmp_path, {PROJECT: "x"}, {})
    (ctx.cwd / ".git/HEAD").unlink()
    (ctx.cwd / ".git").rmdir()
    for runtime in BOTH:
        text = compose(ctx, runtime).text
        assert "None (not in a git project)" in text
        assert "[project-root]/.deepagents (not in a project)/agent.md" in text


def test_a_given_root_wins_over_detection(tmp_path):
    ctx = project(tmp_path, {f"sub/{PROJECT}": "sub", PROJECT: "top"}, {})
    ctx = with_settings(ctx, project_root="sub")
    assert snippet("(No user agent.md)", "sub") in compose(ctx, "deepagentsdk").text


def test_a_custom_template_is_filled_and_braces_are_safe(tmp_path):
    ctx = project(tmp_path, {PROJECT: "{p}"}, {USER: "{u"})
    ctx = with_settings(ctx, memory_template="{x} U={user_memory} P={project_memory} }{")
    prompt = compose(ctx, "deepagentsdk")
    assert prompt.text.startswith("{x} U={u P={p} }{\n\n## Long-term Memory")


WHOLE = (
    "## Agent Memory\n\n<u>{user_memory}</u><p>{project_memory}</p>\n{ user }\n"
    "{agent_dir_display} {agent_dir_absolute}\n{project_memory_info}\n{project_deepagents_dir}"
)


def test_a_template_with_the_guide_is_the_whole_section(tmp_path):
    ctx = with_settings(project(tmp_path, {PROJECT: "p"}, {USER: "u"}), memory_template=WHOLE)
    prompt = compose(ctx, "deepagentsdk", "BASE")
    assert prompt.text == (
        "## Agent Memory\n\n<u>u</u><p>p</p>\n{ user }\n"
        f"~/.deepagents/agent {ctx.home}/.deepagents/agent\n`{ctx.cwd}` (detected)\n"
        f"{ctx.cwd}/.deepagents\n\nBASE"
    )
    assert (prompt.exactness, prompt.origin) == (
        "unverified",
        "the template in the setting memoryTemplate",
    )


def test_the_plan_puts_memory_before_the_base_prompt_and_cli_around_it(tmp_path):
    ctx = project(tmp_path, {}, {USER: "u"})
    plan = compose(ctx, "deepagentsdk", "BASE").text
    assert plan.startswith("## Agent Memory\n\n<user_memory>\nu\n")
    assert plan.endswith("\n\nBASE")
    cli = compose(ctx, "deepagents-cli", "BASE").text
    assert cli.startswith("<user_memory>\nu\n")
    assert "</project_memory>\n\nBASE\n\n\n\n## Long-term Memory" in cli


def test_composing_is_deterministic_and_writes_nothing(tmp_path):
    ctx = project(tmp_path, {}, {})
    before = sorted(tmp_path.rglob("*"))
    texts = {compose(ctx, runtime, "B").text for runtime in BOTH * 2}
    assert len(texts) == len(BOTH)
    assert sorted(tmp_path.rglob("*")) == before


def test_the_guide_of_the_plan_covers_every_required_section(tmp_path):
    text = compose(project(tmp_path, {}, {}), "deepagentsdk").text
    for heading in (
        "Long-term Memory",
        "When to CHECK/READ",
        "Memory-first response pattern",
        "When to update",
        "Learning from feedback",
        "Deciding Where to Store Memory",
        "File Operations",
        "Important",
        "Ask before you create `.deepagents/`",
        "absolute paths",
        "Never store API keys",
    ):
        assert heading in text, heading


def test_notes_beside_the_memory_are_listed_and_not_loaded(tmp_path):
    ctx = project(tmp_path, {".deepagents/deployment.md": "secret steps", PROJECT: "p"}, {})
    prompt = compose(ctx, "deepagentsdk")
    note = next(item for item in prompt.sources if item.path.name == "deployment.md")
    assert (note.status, note.order) == (Status.LISTED, None)
    assert "secret steps" not in prompt.text


def test_a_hint_says_that_the_first_start_creates_a_missing_user_file(tmp_path):
    ctx = project(tmp_path, {}, {})
    assert "first start" in compose(ctx, "deepagents-cli").problems[0].message
    ctx = project(tmp_path, {}, {USER: ""})
    assert compose(ctx, "deepagents-cli").problems == ()


@pytest.mark.parametrize("runtime", BOTH)
def test_a_file_too_large_for_the_preview_is_reported_as_read_whole(runtime, tmp_path):
    ctx = project(tmp_path, {".deepagents/agent.md": ""}, {})
    with (ctx.cwd / ".deepagents/agent.md").open("wb") as stream:
        stream.truncate(SIZE_CAP + 1)
    reasons = [item.reason for item in compose(ctx, runtime).sources]
    assert any(reason.endswith(": the agent reads the whole file") for reason in reasons)
