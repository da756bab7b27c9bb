"""The folders outside of the project that the user's settings allow to write to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent_memory.config.write_roots import write_roots
from kit import project


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("~", "."),
        ("~/notes", "notes"),
        ("~//notes", "notes"),
        ("notes", "notes"),
        ("~bob/notes", "~bob/notes"),
        ("~notes", "~notes"),
    ],
)
def test_only_the_users_own_home_folder_is_expanded(tmp_path, name, folder):
    ctx = project(tmp_path, {}, {})
    ctx = ctx.with_(settings=replace(ctx.settings, write_folders=[name]))
    assert write_roots(ctx).roots[-1].named == ctx.home / folder
