"""Claude MPM: an agent's file, the configuration, and what a delegated task contains."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.base.model import Severity, Status
from agent_memory.config.context import Context
from agent_memory.fs.reader import SIZE_CAP
from agent_memory.prompt.compose import compose
from agent_memory.runtimes.claude_mpm import REQUIRED
from agent_memory.runtimes.claude_mpm_config import load
from agent_memory.runtimes.claude_mpm_names import agent_id, agent_of, files_of
from kit import project, write

FOLDER = ".claude-mpm/memories"
WHOLE = "# T\n\n" + "".join(f"## {name} (Max: 15 items)\n- x\n\n" for name in REQUIRED)


def prompt_of(tmp_path, files, agent="qa"):
    return compose(project(tmp_path, files, {}).with_(agent=agent), "claude-mpm", "TASK")


def test_the_agents_file_follows_the_delegated_task(tmp_path):
    prompt = prompt_of(tmp_path, {f"{FOLDER}/qa_agent.md": WHOLE})
    assert prompt.text.startswith(
        f"TASK\nAGENT MEMORY - PROJECT-SPECIFIC KNOWLEDGE:\n{WHOLE}\n\nINSTRUCTIONS: "
    )
    assert prompt.exactness == "own-wording"


@pytest.mark.parametrize(
    ("existing", "read"),
    [
        (["qa_agent.md", "qa_memories.md", "qa.md"], "qa_agent.md"),
        (["qa_memories.md", "qa.md"], "qa_memories.md"),
        (["qa.md"], "qa.md"),
        ([], "qa_agent.md"),
    ],
)
def test_the_first_existing_name_of_an_agents_file_is_read(existing, read, tmp_path):
    prompt = prompt_of(tmp_path, {f"{FOLDER}/{name}": WHOLE for name in existing})
    assert prompt.sources[0].path.name == read
    assert [item.status for item in prompt.sources[1:]] == [Status.SHADOWED] * (len(existing) - 1)


def test_missing_sections_are_added_before_the_learnings_and_lines_keep_their_origin(tmp_path):
    text = "# T\n\n## Project Architecture\n- a\n\n## Recent Learnings\n- b\n"
    prompt = prompt_of(tmp_path, {f"{FOLDER}/qa_agent.md": text})
    for name in REQUIRED[1:]:
        assert f"\n## {name} (Max: 15 items)\n" in prompt.text
    assert prompt.text.index("Current Technical Context") < prompt.text.index("## Recent")
    pieces = [(item.text, item.line) for item in prompt.segments if item.path]
    assert pieces == [
        ("# T\n\n## Project Architecture\n- a\n", 0),
        ("## Recent Learnings\n- b\n", 5),
    ]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("QA Agent", "qa"),
        ("data-engineer", "data-engineer"),
        ("research-agent", "research"),
        ("Agentic Ops", "agentic_ops"),
        ("reagent", "reagent"),
        ("agent", "agent"),
        ("research_agent", "research"),
    ],
)
def test_only_a_trailing_word_agent_is_removed_from_a_name(name, expected):
    assert agent_id(name) == expected


@pytest.mark.parametrize(
    ("agent", "read"),
    [
        ("data-engineer", "data-engineer_agent.md"),
        ("Data Engineer", "data-engineer_agent.md"),
        ("data_engineer", "data-engineer_agent.md"),
        ("research-agent", "research-agent_agent.md"),
        ("research", "research_agent.md"),
        ("Research Agent", "research_agent.md"),
        ("UX", "UX_memories.md"),
        ("site ops", "site ops.md"),
        ("web-ui", "web-ui_agent.md"),
        ("web_ui", "web_ui_agent.md"),
    ],
)
def test_the_spelling_of_an_existing_file_is_kept(agent, read):
    names = {
        "data-engineer_agent.md", "research-agent_agent.md", "research_agent.md", "UX_memories.md",
        "site ops.md", "web-ui_agent.md", "web_ui_agent.md", "README.md",
    }  # fmt: skip
    assert files_of(agent, names) == [read]


STEMS = st.lists(st.sampled_from(["a", "B", "-", "_", " ", "agent", "memories"]), min_size=1)


@given(st.lists(STEMS.map("".join), min_size=1))
def test_the_agent_named_after_a_file_reads_this_file(stems):
    names = {f"{stem}.md" for stem in stems}
    for stem in stems:
        agent = agent_of(stem)
        assert {agent_of(name[:-3]) for name in files_of(agent, names)} == {agent}
        assert f"{stem}.md" in files_of(agent, names)


def test_prompt_of_an_agent_with_a_hyphen(tmp_path):
    prompt = prompt_of(tmp_path, {f"{FOLDER}/data-engineer_agent.md": WHOLE}, "data-engineer")
    assert prompt.sources[0].path.name == "data-engineer_agent.md"
    assert WHOLE in prompt.text


def test_overrides_match_a_hyphen_and_an_underscore(tmp_path):
    text = "memory:\n  agent_overrides:\n    data_engineer_agent:\n      size_kb: 3\n"
    ctx = project(tmp_path, {".claude-mpm/config.yml": text}, {})
    assert load(ctx, ctx.cwd).size_kb("data-engineer") == 3


CONFIG = """memory:
  enabled: true
  limits:
    default_size_kb: 4
  agent_overrides:
    research_agent:
      size_kb: 16
      auto_learning: true
    qa:
      size_kb: 2
"""


def test_limits_come_from_config_yml_and_overrides_match_both_spellings(tmp_path):
    ctx = project(tmp_path, {".claude-mpm/config.yml": CONFIG}, {})
    config = load(ctx, ctx.cwd)
    assert [config.size_kb(agent) for agent in ("research", "qa", "ops")] == [16, 2, 4]
    assert [config.learns(agent) for agent in ("research", "ops")] == [True, False]


def test_a_file_over_its_own_limit_is_a_problem(tmp_path):
    files = {".claude-mpm/config.yml": CONFIG, f"{FOLDER}/qa_agent.md": "x" * 2049}
    prompt = prompt_of(tmp_path, files)
    assert "2,049 bytes exceed the limit of 2 KB" in prompt.problems[0].message


def test_disabled_memory_is_not_in_the_prompt(tmp_path):
    off = {".claude-mpm/config.yml": "memory:\n  enabled: false\n"}
    prompt = prompt_of(tmp_path, {**off, f"{FOLDER}/qa_agent.md": WHOLE})
    assert prompt.text == "TASK"
    assert prompt.sources[0].reason == "memory.enabled is false in config.yml"


def test_disabled_memory_has_no_limit(tmp_path):
    off = {".claude-mpm/config.yml": "memory:\n  enabled: false\n"}
    assert not prompt_of(tmp_path, {**off, f"{FOLDER}/qa_agent.md": "x" * 9000}).problems


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("memory: [", "invalid YAML"),
        ("memory: 3\n", "must be a table"),
        ("memory:\n  enabled: perhaps\n", "true or false; it is ignored"),
        ("memory:\n  limits:\n    max_sections: -1\n", "must be at least 1"),
        (b"\xff", "undecodable"),
    ],
)
def test_an_invalid_configuration_is_reported_and_the_defaults_apply(text, message, tmp_path):
    files = {".claude-mpm/config.yml": text, f"{FOLDER}/qa_agent.md": WHOLE}
    prompt = prompt_of(tmp_path, files)
    assert message in prompt.problems[0].message
    assert WHOLE in prompt.text


def test_problems_of_the_configuration_have_a_fixed_order(tmp_path):
    text = "memory:\n  auto_learning: 1\n  enabled: 2\n  limits:\n    max_sections: 0\n"
    ctx = project(tmp_path, {".claude-mpm/config.yml": text}, {})
    keys = [problem.split("memory.")[1].split()[0] for problem in load(ctx, ctx.cwd).problems]
    assert keys == ["enabled", "auto_learning", "limits.max_sections"]


def test_an_unreadable_file_is_reported_as_overwritten(tmp_path):
    prompt = prompt_of(tmp_path, {f"{FOLDER}/qa_agent.md": b"caf\xe9"})
    assert prompt.problems[0].severity is Severity.ERROR
    assert "overwrites it with its default" in prompt.problems[0].message


def test_a_file_too_large_for_the_preview_is_reported_as_read_whole(tmp_path):
    path = ".claude-mpm/memories/engineer_agent.md"
    ctx = project(tmp_path, {path: ""}, {})
    with (ctx.cwd / path).open("wb") as stream:
        stream.truncate(SIZE_CAP + 1)
    assert compose(ctx, "claude-mpm").sources[0].effect == "the agent reads the whole file"


def test_the_only_memory_file_decides_the_agent(tmp_path):
    files = {f"{FOLDER}/security_agent.md": WHOLE, f"{FOLDER}/README.md": "x"}
    prompt = prompt_of(tmp_path, files, agent=None)
    assert (prompt.choice.agent, prompt.choice.agent_reason) == (
        "security",
        "the only agent",
    )


def test_files_of_other_agents_are_listed_but_not_in_the_prompt(tmp_path):
    files = {f"{FOLDER}/qa_agent.md": WHOLE, f"{FOLDER}/ops_agent.md": "theirs"}
    prompt = prompt_of(tmp_path, files)
    assert "theirs" not in prompt.text
    other = prompt.sources[1]
    assert (other.status, "the agent ops" in other.reason) == (Status.LISTED, True)


def test_a_blank_file_shows_only_the_added_sections(tmp_path):
    ctx = project(tmp_path, {"pyproject.toml": "", ".claude-mpm/memories/qa_agent.md": " \n\n"}, {})
    prompt = compose(ctx.with_(agent="qa"), "claude-mpm")
    assert "only the sections that Claude MPM adds" in prompt.sources[0].reason
    assert "Project Architecture" in prompt.text


def test_without_a_project_the_working_folder_is_searched(tmp_path):
    write(tmp_path, {"bare/.claude-mpm/memories/qa_agent.md": "## A\n\n- fact\n"})
    ctx = Context(tmp_path / "home", tmp_path / "bare", env={}, agent="qa")
    assert "- fact" in compose(ctx, "claude-mpm").text
