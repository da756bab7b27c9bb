"""Settings: one typed model for the editor, ``agent-memory.toml`` and ``pyproject.toml``.

An invalid value is replaced by the default and reported with file, key and what is accepted.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from agent_memory.base.errors import UsageError
from agent_memory.config.agent_id import check_agent
from agent_memory.config.project_root import find_root, has_git
from agent_memory.fs.reader import read_file
from agent_memory.l10n import t

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from pathlib import Path

    from agent_memory.fs.reader import FileText

SEVERITIES = ("error", "warning", "info", "off")
PROJECT_FILE = ".deepagents/agent-memory.toml"
_FILES = (("pyproject.toml", "tool.agent-memory"), (PROJECT_FILE, ""))
"""File and table of a folder's settings, the lower priority first."""

if TYPE_CHECKING:
    Reader = Callable[[Path], FileText]
    """Reads a settings file from disk or from an editor's buffer."""


@dataclass(frozen=True, slots=True)
class KnownNames:
    """The names that settings may refer to, looked up only when a setting uses one.

    ``runtimes()`` returns the runtime ids. ``rule_hint(name)`` returns None for the code or name
    of a rule, else a hint for correcting it.
    """

    runtimes: Callable[[], Collection[str]]
    rule_hint: Callable[[str], str | None]


@dataclass(frozen=True, slots=True)
class SettingProblem:
    """An ignored setting. ``where`` is a file or the name of the editor's settings."""

    where: str
    key: str
    message: str

    def __str__(self) -> str:
        return f"{self.where}: {self.key}: {self.message}"


def _setting(default: Any, doc: str, *, choices: tuple[str, ...] = (), minimum: int = 0) -> Any:
    meta = {"doc": doc, "choices": choices, "minimum": minimum}
    if isinstance(default, dict | list):
        return field(default_factory=default.copy, metadata=meta)
    return field(default=default, metadata=meta)


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting of the core. Keys in files and in the editor are those of :data:`KEYS`."""

    runtime: str = _setting(
        "auto",
        "The agent runtime to preview and check. `auto` uses the one installed in the project, or "
        "else infers it from the files present.",
    )
    agent: str = _setting(
        "auto",
        "The agent whose user memory is read. `auto` uses the only agent, or else the runtime's "
        "default.",
    )
    project_root: str = _setting(
        "", "Project root, for runtimes that accept one. Leave empty to detect it."
    )
    auto_save: bool = _setting(
        default=True,
        doc="Whether the agent saves memory by itself; `false` selects the read-only template.",
    )
    sources: list[str] = _setting(
        [], "The memory files to load. Leave empty for those of deepagents-code."
    )
    skill_folders: list[str] = _setting([], "Additional skill folders.")
    drover_entries: str = _setting(
        "",
        "The folder of entries. Leave empty for a usual one, such as `.memory` or `entries`.",
    )
    drover_filenames: list[str] = _setting(
        ["AGENTS.md", "CLAUDE.md"], "Names of the instruction files in each folder."
    )
    drover_index: int = _setting(30, "Maximum number of entries in the index. `0`: no index.")
    drover_writes: int = _setting(
        1,
        "Maximum number of entries an agent may save over MCP between two calls of `prompt`. `0` "
        "disables this limit.",
    )
    memory_template: str = _setting(
        "", "A custom memory template. Leave empty for the runtime's own."
    )
    interpreter: str = _setting(
        "",
        "A Python interpreter whose packages contain the runtime's templates. Leave empty to "
        "detect it.",
    )
    budget_tokens: int = _setting(
        4000, "Maximum estimated tokens of the composed prompt. `0` disables this limit."
    )
    file_bytes: int = _setting(
        32768, "Maximum size of a memory file, in bytes. `0` disables this limit."
    )
    chain_bytes: int = _setting(
        32768,
        "Maximum combined size, in bytes, of the AGENTS.md files from the root to a folder. `0` "
        "disables this limit. The default is what Codex reads (`project_doc_max_bytes`).",
    )
    rules: dict[str, str] = _setting(
        {}, "Severity per rule, by code or name: `error`, `warning`, `info` or `off`."
    )
    allowed_secrets: list[str] = _setting(
        [],
        "SHA-256 hashes of values that look like secrets but are not. Never list the value itself.",
    )


KEYS: dict[str, str] = {
    "runtime": "runtime",
    "agent": "agent",
    "projectRoot": "project_root",
    "autoSave": "auto_save",
    "sources": "sources",
    "skillFolders": "skill_folders",
    "drover.entries": "drover_entries",
    "drover.filenames": "drover_filenames",
    "drover.maxIndexEntries": "drover_index",
    "drover.writesPerTurn": "drover_writes",
    "memoryTemplate": "memory_template",
    "templateInterpreter": "interpreter",
    "budget.tokens": "budget_tokens",
    "budget.fileBytes": "file_bytes",
    "budget.chainBytes": "chain_bytes",
    "rules": "rules",
    "secrets.allowed": "allowed_secrets",
}
"""The key of each setting in files and editors, and its field."""


def merge(
    base: Settings, values: Mapping[str, Any], where: str, known: KnownNames
) -> tuple[Settings, list[SettingProblem]]:
    """Return ``base`` overridden by ``values`` (nested tables or dotted keys), and the problems.

    An unknown key or invalid value is reported and does not override.
    """
    problems: list[SettingProblem] = []
    changes: dict[str, Any] = {}
    by_name = {item.name: item for item in fields(Settings)}
    for key, value in flatten(values):
        name = KEYS.get(key)
        if name is None:
            hint = _nearest(key, KEYS)
            problems.append(SettingProblem(where, key, t("unknown setting; {0}", hint)))
            continue
        if value is None:  # clients send null for an unset value
            continue
        wrong = _invalid(getattr(base, name), value, by_name[name].metadata) or _unknown_name(
            name, value, known
        )
        if wrong:
            problems.append(SettingProblem(where, key, wrong))
        else:
            changes[name] = value
    if "rules" in changes:
        good, bad = _rules(changes["rules"], where, known)
        changes["rules"] = {**base.rules, **good}
        problems += bad
    if "allowed_secrets" in changes:
        both = (*base.allowed_secrets, *changes["allowed_secrets"])
        changes["allowed_secrets"] = list(dict.fromkeys(both))
    return replace(base, **changes), problems


def load_user(
    home: Path, base: Settings, known: KnownNames, read: Reader = read_file
) -> tuple[Settings, list[SettingProblem]]:
    """Return ``base`` overridden by ``~/.deepagents/agent-memory.toml``, and the problems."""
    problems: list[SettingProblem] = []
    path = home / PROJECT_FILE
    settings, bad = merge(base, _read_toml(path, "", problems, read), str(path), known)
    return settings, problems + bad


def load_project(
    start: Path, base: Settings, known: KnownNames, read: Reader = read_file
) -> tuple[Settings, list[SettingProblem]]:
    """Return ``base`` overridden by the project's settings, and the problems.

    These are ``[tool.agent-memory]`` of pyproject.toml, then agent-memory.toml, of the nearest
    folder that has settings: from ``start`` up to the one with ``.git``, or only ``start``
    outside a git project.
    """
    for folder in _folders(start):
        problems: list[SettingProblem] = []
        settings, found = base, False
        for name, table in _FILES:
            values = _read_toml(folder / name, table, problems, read)
            if values:
                found = True
                settings, bad = merge(settings, values, str(folder / name), known)
                problems += bad
        if found or problems:
            return settings, problems
    return base, []


def project_file(start: Path, read: Reader = read_file) -> Path:
    """Return the agent-memory.toml that applies to ``start``, or would if it existed.

    It is in the folder whose settings apply. Without any settings it is in the project's root, so
    that it applies to every folder of the project.
    """
    folders = _folders(start)
    for folder in folders:
        problems: list[SettingProblem] = []
        if any(_read_toml(folder / name, table, problems, read) for name, table in _FILES):
            return folder / PROJECT_FILE
        if problems:
            return folder / PROJECT_FILE
    return folders[-1] / PROJECT_FILE


def _folders(start: Path) -> tuple[Path, ...]:
    """Return the folders whose settings may apply to ``start``, the nearest first."""
    root = find_root(start, has_git)
    folders = (start, *start.parents)
    return folders[: folders.index(root) + 1] if root else (start,)


def _read_toml(
    path: Path, table: str, problems: list[SettingProblem], read: Reader
) -> dict[str, Any]:
    content = read(path)
    if content.failure == "missing":
        return {}
    wrong, values = str(content.failure or ""), {}
    if content.ok:
        try:
            values = tomllib.loads(content.text)
        except ValueError as error:
            wrong = str(error)
    if wrong and not table:  # an invalid pyproject.toml is for other tools to report
        problems.append(SettingProblem(str(path), "file", t("cannot be read: {0}", wrong)))
    for part in table.split(".") if table else ():
        values = values.get(part, {})
        if not isinstance(values, dict):
            return {}
    return values


def flatten(values: Mapping[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    """Return (dotted key, value) of nested tables; a table that is a setting is not split."""
    flat: list[tuple[str, Any]] = []
    for key, value in values.items():
        name = f"{prefix}{key}"
        if isinstance(value, Mapping) and name not in KEYS:
            flat += flatten(value, f"{name}.")
        else:
            flat.append((name, value))
    return flat


def _invalid(default: Any, value: Any, meta: Mapping[str, Any]) -> str:
    """Return why ``value`` is not valid in place of ``default``, '' if it is."""
    if type(value) is not type(default):
        wanted, got = _type_name(default), _type_name(value)
        return t("expected {0}, got {1}; the default applies", wanted, got)
    if isinstance(value, int) and not isinstance(value, bool) and value < meta["minimum"]:
        return t("must be at least {0}, got {1}; the default applies", meta["minimum"], value)
    if isinstance(value, list) and not all(isinstance(item, str) for item in value):
        return t("every item must be a string; the default applies")
    return ""


def _unknown_name(name: str, value: Any, known: KnownNames) -> str:
    """Return why ``value``, which has the right type, is not a known name, '' if it is."""
    if name == "runtime" and value != "auto":
        runtimes = known.runtimes()
        if value not in runtimes:
            return t("unknown runtime '{0}'; {1}", value, _nearest(value, ("auto", *runtimes)))
    if name == "agent" and value != "auto":
        try:
            check_agent(value)
        except UsageError as error:
            return str(error)
    return ""


def _rules(
    values: Mapping[str, Any], where: str, known: KnownNames
) -> tuple[dict[str, str], list[SettingProblem]]:
    good: dict[str, str] = {}
    bad: list[SettingProblem] = []
    for key, value in values.items():
        hint = known.rule_hint(key)
        if hint is not None:
            bad.append(SettingProblem(where, f"rules.{key}", t("unknown rule; {0}", hint)))
        elif value not in SEVERITIES:
            why = t("must be one of {0}; the rule's default applies", ", ".join(SEVERITIES))
            bad.append(SettingProblem(where, f"rules.{key}", why))
        else:
            good[key] = value
    return good, bad


def _nearest(word: str, known: Iterable[str]) -> str:
    known = list(known)
    near = difflib.get_close_matches(word, known, 1)
    return t("did you mean '{0}'?", near[0]) if near else t("known: {0}", ", ".join(known))


def _type_name(value: Any) -> str:
    names = {
        bool: t("true or false"),
        int: t("a whole number"),
        float: t("a number with a fraction"),
        str: t("text"),
        list: t("a list"),
        dict: t("a table"),
    }
    return names.get(type(value), t("a {0}", type(value).__name__))
