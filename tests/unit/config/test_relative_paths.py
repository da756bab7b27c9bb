"""Relative paths in settings start at the folder that holds the file, from any working folder."""

from __future__ import annotations

import json
import subprocess

import pytest

from agent_memory import Memory
from agent_memory.config.settings import PATHS, PROJECT_FILE, Settings
from agent_memory.config.settings_files import load_project, load_user
from agent_memory.config.trust import without_trust
from agent_memory.lint.known_names import KNOWN_NAMES
from agent_memory.prompt.at_revision import compose_at
from agent_memory.prompt.compose import compose
from kit import cli, project, write

SKILL = "---\nname: deploy\ndescription: Deploys the shop\n---\n\nText\n"
ENTRY_ID = "01HQ0000000000000000000001"
ENTRY = (
    f"---\nid: {ENTRY_ID}\nscope: global\nkind: project\nsummary: Deploys need a tag\n"
    "createdAt: 1\n---\n\nBody\n"
)
FILES = {
    "app/.deepagents/agent.md": "- words of the app\n",
    "app/notes/AGENTS.md": "- listed words\n",
    "library/skills/deploy/SKILL.md": SKILL,
    f"store/global/{ENTRY_ID}.md": ENTRY,
    "packages/api/x.py": "",
}
SETTINGS = (
    'projectRoot = "app"\nskillFolders = ["library/skills"]\nsources = ["app/notes/AGENTS.md"]\n'
    'drover.entries = "store"\n'
)
SHOWN = {
    "deepagentsdk": ("words of the app", "deploy"),
    "deepagents": ("listed words", "deploy"),
    "drover": ("Deploys the shop", "Deploys need a tag"),
}


@pytest.fixture(params=[PROJECT_FILE, "pyproject.toml"])
def ctx(tmp_path, request):
    text = SETTINGS
    if request.param == "pyproject.toml":
        text = f"[tool.agent-memory]\n{SETTINGS}"
    return project(tmp_path, {**FILES, request.param: text}, {})


@pytest.mark.parametrize("folder", [".", "packages/api", "app"])
@pytest.mark.parametrize("runtime_id", SHOWN)
def test_project_settings_start_at_their_folder(ctx, runtime_id, folder):
    cwd = ctx.cwd / folder
    memory = Memory(cwd, home=ctx.home, runtime=runtime_id)
    sources = {item.path for item in memory.sources() if item.status in ("loaded", "listed")}
    shown = memory.prompt().text + "".join(item.file.name for item in memory_skills(memory))
    assert all(words in shown for words in SHOWN[runtime_id])
    listed = cli(ctx.with_(cwd=cwd), "sources", "--runtime", runtime_id, "--format", "json")
    rows = json.loads(listed.out)["sources"]
    assert sources <= {ctx.cwd.joinpath(row["path"]) for row in rows} | sources
    assert sources == {
        item.path
        for item in Memory(ctx.cwd, home=ctx.home, runtime=runtime_id).sources()
        if item.status in ("loaded", "listed")
    }


def memory_skills(memory):
    """Return the skills of the runtime of ``memory``."""
    prompt = memory.prompt()
    return prompt.choice.runtime.skills(memory.context)


def test_user_settings_start_at_the_users_home(tmp_path):
    files = {PROJECT_FILE: 'sources = ["shared/AGENTS.md"]\n', "shared/AGENTS.md": "- everywhere\n"}
    ctx = project(tmp_path, {"sub/x": ""}, files)
    for folder in (ctx.cwd, ctx.cwd / "sub"):
        assert "everywhere" in Memory(folder, home=ctx.home, runtime="deepagents").prompt().text


def test_each_setting_starts_at_the_file_that_contains_it(tmp_path):
    write(
        tmp_path,
        {
            f"home/{PROJECT_FILE}": 'sources = ["a"]\ndrover.entries = "e"\n',
            f"ws/{PROJECT_FILE}": 'sources = ["b"]\n',
        },
    )
    own, _ = load_user(tmp_path / "home", Settings(), KNOWN_NAMES)
    settings, _ = load_project(tmp_path / "ws", own, KNOWN_NAMES)
    assert settings.folders == {
        "sources": tmp_path / "ws",
        "drover_entries": tmp_path / "home",
    }


def test_untrusted_paths_start_where_the_users_do(tmp_path):
    write(
        tmp_path,
        {
            f"home/{PROJECT_FILE}": 'sources = ["mine"]\n',
            f"ws/{PROJECT_FILE}": 'sources = ["../theirs"]\nskillFolders = ["inside"]\n',
        },
    )
    own, _ = load_user(tmp_path / "home", Settings(), KNOWN_NAMES)
    settings, _ = load_project(tmp_path / "ws", own, KNOWN_NAMES)
    safe = without_trust(settings, own)
    assert safe.sources == ["mine"]
    assert safe.folders == {"sources": tmp_path / "home", "skill_folders": tmp_path / "ws"}


def test_fields_with_paths_are_known():
    assert set(Settings.__dataclass_fields__) >= PATHS


def test_relative_paths_are_those_of_the_revision(tmp_path):
    ctx = project(tmp_path, {**FILES, PROJECT_FILE: SETTINGS}, {})
    git = ["git", "-C", str(ctx.cwd), "-c", "user.name=n", "-c", "user.email=e@localhost"]
    subprocess.run(["rm", "-r", str(ctx.cwd / ".git")], check=True)
    for args in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"]):
        subprocess.run([*git, *args], check=True)
    write(ctx.cwd, {"app/.deepagents/agent.md": "- new words\n"})
    write(ctx.cwd, {"app/notes/AGENTS.md": "- new listed words\n"})
    settings, _ = load_project(ctx.cwd, Settings(), KNOWN_NAMES)
    now = ctx.with_(cwd=ctx.cwd / "packages" / "api", settings=settings)
    for runtime_id, words in SHOWN.items():
        then, _ = compose_at(now, "HEAD", runtime_id)
        assert all(word in then.text for word in words if word != "deploy")
        assert "new words" not in then.text
    assert "new words" in compose(now, "deepagentsdk").text
