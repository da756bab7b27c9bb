"""The folders outside of projects that the user's own settings name."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agent_memory.config.settings import Settings


def own_folders(settings: Settings) -> list[str]:
    """Return the folders and files outside of projects that the user's ``settings`` name.

    Those of ``write_folders``, and absolute paths and those with ``~`` of other fields, are
    returned as written. A relative path of another field starts in the folder of the settings file
    that contains it, and is returned as an absolute path. It is left out if it comes from no file,
    such as from a Python program. Each path is returned once.
    """
    named = {
        "sources": settings.sources,
        "skill_folders": settings.skill_folders,
        "project_root": [settings.project_root],
        "drover_entries": [settings.drover_entries],
    }
    outside = list(settings.write_folders)
    for field, values in named.items():
        for value in filter(None, values):  # without the '' of a field that is not set
            if value.startswith("~") or os.path.isabs(value):  # noqa: PTH117
                outside.append(value)
            elif field in settings.folders:
                outside.append(str(settings.folders[field] / value))
    return list(dict.fromkeys(outside))
