"""Templates of installed runtimes: found on disk, read as literals, exact only if compared."""

from __future__ import annotations

import json
import sys

import pytest

from agent_memory.base.model import Exactness
from agent_memory.prompt.compose import compose
from agent_memory.runtimes import deepagents, installed, python_literals
from agent_memory.runtimes.templates import TemplateSpec, digest, fields_of, load
from kit import project, with_settings, write

TEMPLATE = "<agent_memory>\n{agent_memory}\n</agent_memory>\n"
SOURCE = f"MEMORY_SYSTEM_PROMPT = {TEMPLATE!r}\n"
SPEC = TemplateSpec(
    "deepagents/middleware/memory.py",
    "MEMORY_SYSTEM_PROMPT",
    {digest(TEMPLATE): ("0.6.2", "0.7.32")},
    frozenset({"agent_memory"}),
    "OWN {agent_memory}",
)


def environment(folder, version="0.7.6", source=SOURCE, name="deepagents", lib="lib/python3.11"):
    info = f"{lib}/site-packages/{name.replace('-', '_')}-{version}.dist-info"
    return write(
        folder,
        {
            f"{info}/METADATA": f"Name: {name}\nVersion: {version}\n",
            f"{lib}/site-packages/deepagents/middleware/memory.py": source,
        },
    )


def loaded(ctx):
    return load(ctx, ctx.cwd, installed.find_package(ctx, ctx.cwd, "deepagents"), SPEC)


def test_a_known_text_of_a_known_version_is_exact(tmp_path):
    ctx = project(tmp_path, {}, {})
    environment(ctx.cwd / ".venv")
    found = loaded(ctx)
    assert (found.text, found.exactness, found.version) == (TEMPLATE, Exactness.EXACT, "0.7.6")
    assert found.origin == "deepagents 0.7.6 in project/.venv"


@pytest.mark.parametrize("version", ["0.7.33", "1.0", "0.6.1", "0.7.6rc1", "0.7.6.post1", "x"])
def test_a_known_text_of_another_version_is_unverified(version, tmp_path):
    ctx = project(tmp_path, {}, {})
    environment(ctx.cwd / ".venv", version)
    found = loaded(ctx)
    assert (found.text, found.exactness) == (TEMPLATE, Exactness.UNVERIFIED)
    assert "only compared in 0.6.2 to 0.7.32" in found.origin


def test_a_changed_text_is_unverified(tmp_path):
    ctx = project(tmp_path, {}, {})
    environment(ctx.cwd / ".venv", source=SOURCE.replace("<agent", "<my_agent"))
    found = loaded(ctx)
    assert found.exactness is Exactness.UNVERIFIED
    assert "not compared with the real runtime" in found.origin


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("", "deepagents/middleware/memory.py does not define MEMORY_SYSTEM_PROMPT"),
        ("MEMORY_SYSTEM_PROMPT = make()\n", "does not define MEMORY_SYSTEM_PROMPT"),
        (
            SOURCE + "MEMORY_SYSTEM_PROMPT = shorten(MEMORY_SYSTEM_PROMPT)\n",
            "does not define MEMORY",
        ),
        ("this is (no Python\n", "does not define MEMORY_SYSTEM_PROMPT"),
        ("(" * 5000, "does not define MEMORY_SYSTEM_PROMPT"),
        ("MEMORY_SYSTEM_PROMPT = '{agent_memory} {more}'\n", "unknown placeholders"),
        ("MEMORY_SYSTEM_PROMPT = '{agent_memory'\n", "unknown placeholders"),
        ("MEMORY_SYSTEM_PROMPT = '{0}'\n", "unknown placeholders"),
    ],
)
def test_a_template_that_moved_or_cannot_be_filled_gives_our_wording_with_the_reason(
    source, why, tmp_path
):
    ctx = project(tmp_path, {}, {})
    environment(ctx.cwd / ".venv", source=source)
    found = loaded(ctx)
    assert (found.text, found.exactness) == ("OWN {agent_memory}", Exactness.OWN_WORDING)
    assert why in found.origin
    assert "deepagents 0.7.6 in project/.venv" in found.origin


def test_two_recorded_versions_are_never_exact(tmp_path):
    ctx = project(tmp_path, {}, {})
    environment(environment(ctx.cwd / ".venv", "0.6.12"), "0.7.6")
    found = loaded(ctx)
    assert found.exactness is Exactness.UNVERIFIED
    assert "its metadata lists 2 versions: 0.6.12, 0.7.6" in found.origin


def test_an_editable_installation_is_not_read(tmp_path):
    ctx = project(tmp_path, {}, {})
    packages = environment(ctx.cwd / ".venv") / "lib/python3.11/site-packages"
    record = {"url": "file:///elsewhere", "dir_info": {"editable": True}}
    (packages / "deepagents-0.7.6.dist-info/direct_url.json").write_text(json.dumps(record))
    (packages / "deepagents/middleware/memory.py").unlink()
    assert "an editable installation, which is not read" in loaded(ctx).origin


def test_egg_links_and_leftover_records_do_not_count(tmp_path):
    ctx = project(tmp_path, {}, {})
    packages = environment(ctx.cwd / ".venv") / "lib/python3.11/site-packages"
    (packages / "deepagents-0.7.6.dist-info/METADATA").unlink()
    write(packages, {"deepagents.egg-link": "/elsewhere", "deepagents.egg-info/PKG-INFO": ""})
    found = loaded(ctx)
    assert found.exactness is Exactness.OWN_WORDING
    assert "not installed in project/.venv" in found.origin


def test_an_environment_without_packages_is_named(tmp_path):
    ctx = project(tmp_path, {".venv": "not a folder"}, {})
    assert "project/.venv (no packages)" in loaded(ctx).origin


def test_environments_are_searched_in_the_documented_order(tmp_path):
    ctx = project(tmp_path, {}, {})
    ctx = with_settings(ctx, interpreter=str(tmp_path / "own/bin/python"))
    active = ctx.with_(env={"VIRTUAL_ENV": str(tmp_path / "active")})
    environment(tmp_path / "own", "0.7.1")
    assert loaded(active).origin.endswith("in the configured interpreter")
    environment(ctx.cwd / ".venv", "0.7.2")
    assert loaded(active).origin.endswith("in project/.venv")
    environment(tmp_path / "active", "0.7.3")
    assert loaded(active).origin.endswith("0.7.3 in VIRTUAL_ENV")
    assert loaded(ctx).origin.endswith("0.7.2 in project/.venv")


@pytest.mark.parametrize("lib", ["lib/python3.13", "lib64/python3.12", "Lib"])
def test_the_layouts_of_all_platforms_are_found(lib, tmp_path):
    ctx = project(tmp_path, {}, {})
    environment(ctx.cwd / ".venv", lib=lib)
    assert loaded(ctx).exactness is Exactness.EXACT


def test_reading_a_template_runs_nothing(tmp_path):
    ctx = project(tmp_path, {}, {})
    ran = tmp_path / "ran"
    source = f"open({str(ran)!r}, 'w').close()\n{SOURCE}"
    packages = environment(ctx.cwd / ".venv", source=source) / "lib/python3.11/site-packages"
    write(packages, {"deepagents/__init__.py": source, "sitecustomize.py": source})
    before = set(sys.modules)
    assert loaded(ctx).exactness is Exactness.EXACT
    assert not ran.exists()
    assert not {name for name in set(sys.modules) - before if name.startswith("deepagents")}


def test_a_changed_source_file_is_read_again(tmp_path):
    ctx = project(tmp_path, {}, {})
    environment(ctx.cwd / ".venv")
    assert loaded(ctx).exactness is Exactness.EXACT
    environment(ctx.cwd / ".venv", source=SOURCE + "# longer\nMEMORY_SYSTEM_PROMPT = None\n")
    assert loaded(ctx).exactness is Exactness.OWN_WORDING


def test_adjacent_literals_and_f_strings_of_names_are_literals(tmp_path):
    path = tmp_path / "source.py"
    path.write_text(
        "A: str = ('one '\n 'two')\nB = C = 'three'\nD = f'{x}'\n"
        "def run():\n    text = f'a {{b}} {name}'\n    odd = f'{a.b}'\n"
        "    lines = ['x', 'y']\n    mixed = ['x', y]\n    self.kept = f'{x}'\n"
    )
    found = [python_literals.literal(path, name) for name in "ABCDE"]
    assert found == ["one two", "three", "three", None, None]
    assert python_literals.formatted(path, "run", "text") == "a {{b}} {name}"
    assert python_literals.formatted(path, "run", "odd") is None
    assert python_literals.lines_in(path, "run", "lines") == ("x", "y")
    assert python_literals.lines_in(path, "run", "mixed") == ()
    nowhere = (tmp_path / "none.py", tmp_path)
    assert [python_literals.literal(path, "A") for path in nowhere] == [None, None]
    assert [python_literals.formatted(path, "run", "text") for path in nowhere] == [None, None]
    assert [python_literals.lines_in(path, "run", "lines") for path in nowhere] == [(), ()]


def test_placeholders_of_a_template():
    assert fields_of("{a} {{b}} {c}") == {"a", "c"}
    assert fields_of("{a") is None


@pytest.mark.parametrize("content", ["", "{", "[]", '{"name": "x"}', '{"version": 3}'])
def test_a_broken_package_json_is_not_an_installation(content, tmp_path):
    ctx = project(tmp_path, {"node_modules/deepagentsdk/package.json": content}, {})
    found = installed.find_node_package(ctx, ctx.cwd, "deepagentsdk")
    assert (found.version if found else None) == ("3" if "3" in content else None)


def test_an_installed_npm_package_is_named_and_its_template_not_guessed(tmp_path):
    package = json.dumps({"version": "0.16.1"})
    ctx = project(tmp_path, {"node_modules/deepagentsdk/package.json": package}, {})
    prompt = compose(ctx)
    assert (
        prompt.choice.runtime_reason == "deepagentsdk 0.16.1 is installed in project/node_modules"
    )
    assert prompt.exactness is Exactness.OWN_WORDING
    assert "the template of deepagentsdk 0.16.1 in project/node_modules differs" in prompt.origin


def test_the_sdk_profile_composes_as_the_installed_version(tmp_path):
    ctx = project(tmp_path, {"AGENTS.md": "a <!-- b -->\n"}, {})
    environment(ctx.cwd / ".venv", "0.4.12")
    old = compose(ctx, "deepagents", "BASE")
    assert old.text == (
        f"BASE\n\n<agent_memory>\n{ctx.cwd}/AGENTS.md\na <!-- b -->\n\n</agent_memory>\n"
    )
    assert old.exactness is Exactness.UNVERIFIED
    assert not deepagents.Deepagents().matches("0.3.1")


@pytest.mark.parametrize(("version", "fails"), [("0.3.2", True), ("0.3.3", False)])
def test_only_the_first_middleware_version_fails_on_a_missing_file(version, fails, tmp_path):
    ctx = project(tmp_path, {"AGENTS.md": "a"}, {})
    source = "MEMORY_SYSTEM_PROMPT = '{memory_locations}|{memory_contents}'\n"
    environment(ctx.cwd / ".venv", version, source)
    prompt = compose(ctx, "deepagents", "BASE")
    paths = [ctx.home / ".deepagents/agent", ctx.cwd / ".deepagents", ctx.cwd]
    listed = "\n".join(f"- `{folder}/AGENTS.md`" for folder in paths)
    assert prompt.text == f"**Memory Sources:**\n{listed}|a\n\nBASE"
    assert [item.severity == "error" for item in prompt.problems] == [True, True] * fails


def test_the_list_of_files_has_no_skills(tmp_path):
    files = {"AGENTS.md": "a", "skills/x/SKILL.md": "---\nname: x\ndescription: d\n---\n"}
    ctx = with_settings(project(tmp_path, files, {}), skill_folders=["skills"])
    source = "MEMORY_SYSTEM_PROMPT = '{memory_locations}|{memory_contents}'\n"
    environment(ctx.cwd / ".venv", "0.3.3", source)
    locations = compose(ctx, "deepagents").text.partition("|")[0]
    assert "AGENTS.md" in locations
    assert "SKILL.md" not in locations
