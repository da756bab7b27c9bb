"""Fixtures of the tests of remember."""

from __future__ import annotations

import pytest

from kit import project
from remember_kit import MEMORY, PROJECT


@pytest.fixture
def ctx(tmp_path):
    return project(tmp_path, {PROJECT: MEMORY}, {})
