"""Byte equality with the real runtimes, tree by tree."""

from __future__ import annotations

import pytest

from conformance.compare import ours, theirs, verdict
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
        options["sources"] = [item.display for item in prompt.sources]
    assert verdict(theirs(driver, place, **options), prompt) in ("equal", "crash")
