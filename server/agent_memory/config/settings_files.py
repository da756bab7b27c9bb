"""The settings files of the user and of a project."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from agent_memory.config.own_folders import own_folders
from agent_memory.config.project_root import find_root, has_git
from agent_memory.config.settings import PROJECT_FILE
from agent_memory.config.settings_merge import KnownNames, SettingProblem, merge
from agent_memory.formats.limits import FormatError, unexpected
from agent_memory.formats.toml_parser import parse_toml
from agent_memory.fs.reader import Failure, read_file
from agent_memory.l10n import t

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from agent_memory.config.settings import Settings
    from agent_memory.fs.reader import FileText

    Reader = Callable[[Path], FileText]
    """Reads a settings file from disk or from an editor's buffer."""

_FILES = (("pyproject.toml", "tool.agent-memory"), (PROJECT_FILE, ""))
"""File and table of a folder's settings, the lower priority first."""


def load_user(
    home: Path, base: Settings, known: KnownNames, read: Reader = read_file
) -> tuple[Settings, list[SettingProblem]]:
    """Return ``base`` overridden by the user's settings file in ``home``, and the problems.

    The files and folders that these settings name become ``write_folders``: they may be written to.
    """
    problems: list[SettingProblem] = []
    path = home / PROJECT_FILE
    values = _read_toml(path, "", problems, read)
    settings, invalid = merge(base, values, str(path), known, home)
    return replace(settings, write_folders=own_folders(settings)), problems + invalid


def load_project(
    start: Path, base: Settings, known: KnownNames, read: Reader = read_file
) -> tuple[Settings, list[SettingProblem]]:
    """Return ``base`` overridden by the project's settings, and the problems of their files.

    The settings are those of the nearest folder that has any: from ``start`` up to the folder with
    ``.git``, or only of ``start`` outside a git project. Its agent-memory.toml overrides the table
    ``[tool.agent-memory]`` of its pyproject.toml. A folder in which one of these files is invalid
    counts as one with settings. A project cannot set ``write_folders``: only the user may allow
    files outside of the project to be written.
    """
    for folder in _folders(start):
        problems: list[SettingProblem] = []
        settings, has_settings = base, False
        for name, table in _FILES:
            path = folder / name
            values = _read_toml(path, table, problems, read)  # adds a problem if it is invalid
            if not values:
                continue
            has_settings = True
            settings, invalid = merge(settings, values, str(path), known, folder)
            problems += invalid
            if settings.write_folders != base.write_folders:
                problems.append(_not_allowed_here(path))
                settings = replace(settings, write_folders=base.write_folders)
        if has_settings or problems:
            return settings, problems
    return base, []


def _not_allowed_here(path: Path) -> SettingProblem:
    """Return the problem that the project's file ``path`` sets folders to write to."""
    why = t("only your own settings can allow folders outside of the project")
    return SettingProblem(str(path), "writeFolders", why)


def candidates(start: Path) -> list[Path]:
    """Return the files that can contain settings for ``start``, whether or not they exist."""
    return [folder / name for folder in _folders(start) for name, _ in _FILES]


def project_file(start: Path, read: Reader = read_file) -> Path:
    """Return the path of the agent-memory.toml that applies to ``start``; it may be missing.

    It is in the nearest folder with settings. Without any settings it is in the project's root, so
    that it applies to every folder of the project.
    """
    folders = _folders(start)
    for folder in folders:
        problems: list[SettingProblem] = []
        if any(_read_toml(folder / name, table, problems, read) for name, table in _FILES):
            return folder / PROJECT_FILE
        if problems:  # the file exists but is invalid
            return folder / PROJECT_FILE
    return folders[-1] / PROJECT_FILE


def _folders(start: Path) -> tuple[Path, ...]:
    """Return the folders whose settings may apply to ``start``, the nearest first.

    The last one is the nearest folder with ``.git``. Without git, ``start`` is the only one.
    """
    root = find_root(start, has_git)
    folders = (start, *start.parents)
    return folders[: folders.index(root) + 1] if root else (start,)


def _read_toml(
    path: Path, table: str, problems: list[SettingProblem], read: Reader
) -> dict[str, Any]:
    """Return the settings in the file ``path``; {} if it has none, is missing or is invalid.

    ``table`` is the dotted name of the table with the settings, '' for a file of settings only. If
    such a file cannot be read or parsed, a problem is added to ``problems``. Others are not
    reported: other tools report an invalid pyproject.toml.
    """
    content = read(path)
    if content.failure is Failure.MISSING:
        return {}
    values = {}
    error_text = str(content.failure or "")  # why the file cannot be read or parsed, '' if it can
    if content.ok:
        try:
            values = parse_toml(content.text)
        except FormatError as error:
            error_text = str(error)
        except Exception as error:  # noqa: BLE001 -- a bad settings file stops nothing
            error_text = unexpected(error, "settings")
    if not table:
        if error_text:
            why = t("cannot be read: {0}", error_text)
            problems.append(SettingProblem(str(path), "file", why))
        return values
    for key in table.split("."):
        values = values.get(key, {})
        if not isinstance(values, dict):
            return {}
    return values
