"""Byte equality with the real runtimes, tree by tree."""

from __future__ import annotations

import pytest

from conformance.compare import listed, ours, theirs, verdict
from conformance.install import ENVIRONMENTS
from conformance.trees import TREES, Place

pytestmark = [pytest.mark.conformance, pytest.mark.slow]

COMPARED = [name for name, it in ENVIRONMENTS.items() if it.kind.startswith("deepagents")]


@pytest.mark.parametrize("name", COMPARED)
@pytest.mark.parametrize("tree", TREES)
def test_a_tree_gives_the_real_runtimes_bytes(name, tree, tmp_path, drivers):
    place = Place(tmp_path)
    TREES[tree](place)
    driver = drivers(name)
    prompt = ours(place, name)
    options = {}
    if driver.kind == "deepagents":
        options["sources"] = listed(prompt)
    assert verdict(theirs(driver, place, **options), prompt) in ("equal", "crash")


SKILLS = [tree for tree in TREES if "skill" in tree]


@pytest.mark.parametrize("name", ["deepagents-0.6.12", "deepagents-0.7.32"])
@pytest.mark.parametrize("tree", SKILLS)
def test_skill_folders_handed_to_the_sdk_give_its_bytes(name, tree, tmp_path, drivers):
    place = Place(tmp_path)
    TREES[tree](place)
    folders = [str(place.user_skills), str(place.root / ".agents" / "skills"), ".deepagents/skills"]
    prompt = ours(place, name, skill_folders=folders)
    real = theirs(drivers(name), place, sources=listed(prompt), skill_sources=folders)
    assert verdict(real, prompt) == "equal"
