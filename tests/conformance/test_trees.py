"""Every tree gives the same bytes as the real runtimes."""

from __future__ import annotations

import pytest

from conformance.compare import listed, ours, theirs, verdict
from conformance.install import ENVIRONMENTS
from conformance.place import Place
from conformance.trees import TREES

pytestmark = [pytest.mark.conformance, pytest.mark.slow]

COMPARED = [name for name, it in ENVIRONMENTS.items() if it.kind.startswith("deepagents")]


@pytest.mark.parametrize("name", COMPARED)
@pytest.mark.parametrize("tree", TREES)
def test_a_tree_gives_the_bytes_of_the_real_runtime(name, tree, tmp_path, drivers, outcomes):
    place = Place(tmp_path)
    TREES[tree](place)
    driver = drivers(name)
    prompt = ours(place, name)
    options = {}
    if driver.kind == "deepagents":
        options["sources"] = listed(prompt)
    outcome = verdict(theirs(driver, place, **options), prompt)
    assert outcome in ("equal", "fails")
    outcomes[tree, name] = outcome


SKILLS = [tree for tree in TREES if "skill" in tree]


@pytest.mark.parametrize("name", ["deepagents-0.6.12", "deepagents-0.7.32"])
@pytest.mark.parametrize("tree", SKILLS)
def test_skill_folders_passed_to_the_sdk_give_its_bytes(name, tree, tmp_path, drivers):
    place = Place(tmp_path)
    TREES[tree](place)
    folders = [str(place.user_skills), str(place.root / ".agents" / "skills"), ".deepagents/skills"]
    prompt = ours(place, name, skill_folders=folders)
    real = theirs(drivers(name), place, sources=listed(prompt), skill_sources=folders)
    assert verdict(real, prompt) == "equal"


@pytest.mark.parametrize("name", COMPARED)
@pytest.mark.parametrize("tree", ["no memory", "user project and root"])
def test_without_a_base_prompt_there_is_only_the_block(name, tree, tmp_path, drivers):
    place = Place(tmp_path)
    TREES[tree](place)
    prompt = ours(place, name, base="")
    real = theirs(drivers(name), place, base="", sources=listed(prompt))
    assert verdict(real, prompt) == "equal"


@pytest.mark.parametrize("tree", ["no memory", "user project and root", "HTML comments"])
def test_with_auto_save_off_the_second_template_has_the_real_bytes(tree, tmp_path, drivers):
    place = Place(tmp_path)
    TREES[tree](place)
    name = "deepagents-code-0.1.57"
    prompt = ours(place, name, auto_save=False)
    assert verdict(theirs(drivers(name), place, auto_save=False), prompt) == "equal"
