"""The table of runtimes: a new runtime is one class and one line, and the rest derives from it."""

from __future__ import annotations

import ast
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

import agent_memory
from agent_memory import runtimes
from agent_memory.base.model import Role, Scope, Segment, Source
from agent_memory.config.settings import KEYS
from agent_memory.lint.open_project import open_project
from agent_memory.prompt.compose import compose
from agent_memory.runtimes import classify
from agent_memory.runtimes.base import Composition, Runtime
from agent_memory.runtimes.reading import numbered, status_of
from agent_memory.runtimes.selection import choose
from kit import project, with_settings

ROOT = Path(__file__).parents[3]
PACKAGE = Path(agent_memory.__file__).parent
ALLOWED = {
    ("config/context.py", ".cline/rules"): "a folder of the user's memory",
    ("config/context.py", ".deepagents"): "user folder of the deepagents family",
    ("config/settings.py", ".deepagents/agent-memory.toml"): "our own settings file",
    ("config/settings.py", "agents.deepagents-js.path"): "the key of a setting",
    ("integrations/mcp_clients.py", "claude-code"): "a client of MCP and its runtime",
    ("integrations/mcp_clients.py", "codex"): "a client of MCP and its runtime",
    ("integrations/mcp_clients.py", "gemini-cli"): "a client of MCP and its runtime",
    ("lint/baseline.py", ".deepagents/agent-memory.baseline.toml"): "our own baseline file",
    ("recall/hits.py", "drover"): "a ranking, which works in every runtime",
}
"""Strings outside ``runtimes`` that name a runtime or its folder, and why."""


class Seventh(Runtime):
    """Everything that a new runtime needs."""

    id = "seventh"
    title = "Seventh"
    summary = "MEMORY.md of the working folder"
    memory_names = ("MEMORY.md",)
    markers = {"MEMORY.md": 1}  # noqa: RUF012 -- declared in the base class

    def root(self, ctx):
        return ctx.cwd

    def sources(self, ctx):
        path = ctx.cwd / "MEMORY.md"
        status, reason = status_of(ctx.store.read(path))
        return numbered([Source(path, Scope.PROJECT, Role.MEMORY, status, reason, str(path))])

    def compose(self, ctx, sources, base=""):
        text = ctx.store.read(sources[0].path).text
        return Composition((Segment("BEGIN\n"), Segment(text, "project", sources[0].path)))


def test_a_new_runtime_is_one_class_and_one_line(tmp_path, monkeypatch):
    seventh = Seventh()
    table = (*runtimes.RUNTIMES, seventh)
    monkeypatch.setattr(runtimes, "RUNTIMES", table)
    monkeypatch.setitem(runtimes.BY_ID, "seventh", seventh)
    ctx = project(tmp_path, {"MEMORY.md": "fact\n"}, {})
    prompt = compose(ctx)
    assert (prompt.choice.runtime.id, prompt.choice.runtime_reason) == (
        "seventh",
        "MEMORY.md exists",
    )
    assert prompt.text == "BEGIN\nfact\n"
    assert prompt.sources[0].order == 1
    assert prompt.choice.runtime.memory_path(ctx, Scope.PROJECT) == ctx.cwd / "MEMORY.md"
    assert prompt.choice.runtime.skills(ctx) == []


def strings(path: Path) -> set[str]:
    """Return the string literals of a module, sentences and docstrings excluded."""
    tree = ast.parse(path.read_bytes())
    prose = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if id(node) not in prose and " " not in node.value
    }


NAMING = {"runtimes", "verify"}
"""Packages that name agents: what they read, and how some are started."""


def test_only_runtimes_name_a_runtime_or_its_folders():
    """A folder or id spelled out elsewhere is one more place that a new runtime has to change."""
    folders = {*classify.PROJECT_FOLDERS, *classify.USER_FOLDERS}
    pattern = re.compile("|".join(map(re.escape, folders)))
    found = {
        (path.relative_to(PACKAGE).as_posix(), text)
        for path in PACKAGE.rglob("*.py")
        if not NAMING & {*path.parts, path.name}
        for text in strings(path)
        if text in runtimes.BY_ID or pattern.search(text)
    }
    assert found == set(ALLOWED)


@pytest.mark.parametrize("runtime", runtimes.RUNTIMES, ids=lambda runtime: runtime.id)
def test_a_declaration_is_complete(runtime):
    assert runtimes.get(runtime.id) is runtime
    assert runtime.title
    assert runtime.summary
    assert set(runtime.settings) <= set(KEYS)
    assert all(name.endswith(".md") for name in runtime.memory_names)
    assert {Path(name).name for name in runtime.project_files} <= set(runtime.memory_names)


def test_weights_of_markers_are_unique():
    """Equal weights would leave the choice to the order of the table."""
    weights = [weight for runtime in runtimes.RUNTIMES for weight in runtime.markers.values()]
    assert len(weights) == len(set(weights))


@pytest.mark.parametrize(
    ("path", "agent"),
    [
        ("/home/.deepagents/writer/skills/x/SKILL.md", "writer"),
        ("/home/.deepagents/agent-memory.toml", ""),
        ("/p/.claude-mpm/memories/qa_agent.md", "qa"),
        ("/p/.claude-mpm/memories/README.md", ""),
        ("/p/.claude-mpm/memories/notes.txt", ""),
        ("/p/AGENTS.md", ""),
    ],
)
def test_the_location_of_a_file_names_its_agent(path, agent):
    assert classify.owner_of(Path(path), Path("/home")) == agent


@pytest.mark.parametrize(
    ("folder", "start"),
    [("/p/.claude/skills/x", "/p"), ("/p/.claude-mpm/memories", "/p"), ("/p/docs", "/p/docs")],
)
def test_memory_in_a_folder_of_a_runtime_belongs_to_the_folder_above(folder, start):
    assert classify.project_of(Path(folder)) == Path(start)


def test_choosing_happens_once_per_check(tmp_path, monkeypatch):
    calls = []
    counted = lambda *args: calls.append(args) or choose(*args)  # noqa: E731
    monkeypatch.setattr("agent_memory.lint.open_project.choose", counted)
    monkeypatch.setattr("agent_memory.prompt.compose.choose", counted)
    ctx = with_settings(project(tmp_path, {"AGENTS.md": "- a\n"}, {}), runtime="deepagents-code")
    opened = open_project(ctx)
    assert opened.prompt.text
    assert len(calls) == 1


def test_generated_lists_of_runtimes_are_up_to_date(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    spec = importlib.util.spec_from_file_location("runtime_docs", ROOT / "tools/runtime_docs.py")
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    for path, text in tool.outputs().items():
        assert path.read_text("utf-8") == text, "run python tools/runtime_docs.py"


@pytest.mark.parametrize("tool", ["runtime_docs", "settings_docs"])
def test_a_generator_can_check(tool):
    done = subprocess.run([sys.executable, ROOT / f"tools/{tool}.py", "--check"], check=False)
    assert done.returncode == 0
