"""The package folders of environments, and their cache."""

from __future__ import annotations

import pytest

from agent_memory.runtimes import installed
from agent_memory.runtimes.installed import site_packages


@pytest.fixture
def environments(tmp_path):
    folders = [tmp_path / str(number) / "lib/python3.12/site-packages" for number in range(40)]
    for folder in folders:
        folder.mkdir(parents=True)
    return folders


def test_package_folders_of_the_last_environments_are_cached(environments):
    for folder in environments:
        assert site_packages(folder.parents[2]) == [folder]
    cached = installed._site_packages_cache
    assert len(cached) <= installed._MAX_ENVIRONMENTS
    assert environments[-1].parents[2] in cached


def test_a_newer_python_is_found_in_a_cached_environment(environments):
    prefix = environments[0].parents[2]
    site_packages(prefix)
    newer = prefix / "lib/python3.13/site-packages"
    newer.mkdir(parents=True)
    assert site_packages(prefix) == [newer, environments[0]]
