"""Settings: one typed model for the editor, ``agent-memory.toml`` and ``pyproject.toml``.

A bad value never stops anything: the default stands in its place and the problem is reported
with file, key and what would be accepted.
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
"""Where a folder's settings stand, the weaker first: the file and the table in it."""

if TYPE_CHECKING:
    Reader = Callable[[Path], FileText]
    """How a settings file is read: from the disk, or as an editor shows it."""


@dataclass(frozen=True, slots=True)
class KnownNames:
    """The names that settings may refer to, looked up only when a setting uses one.

    ``runtimes()`` returns the runtime ids. ``rule_hint(name)`` returns None for a rule's code or
    name, else a hint that helps to correct it.
    """

    runtimes: Callable[[], Collection[str]]
    rule_hint: Callable[[str], str | None]


@dataclass(frozen=True, slots=True)
class SettingProblem:
    """A setting that was not taken. ``where`` is a file or the name of the editor's settings."""

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
        "The runtime whose prompt is composed: `auto`, or the id of a runtime "
        "(`agent-memory sources --runtime ?` lists them).",
    )
    agent: str = _setting("auto", "The agent whose user memory is read, or `auto`.")
    project_root: str = _setting(
        "", "The project's root, for runtimes that let it be given; empty: each runtime's own rule."
    )
    auto_save: bool = _setting(
        default=True,
        doc="Whether the agent saves memory by itself (deepagents-code has a second template).",
    )
    sources: list[str] = _setting(
        [], "The list of memory files for the deepagents SDK; empty: those of deepagents-code."
    )
    skill_folders: list[str] = _setting(
        [], "Skill folders for deepagents, deepagentsdk (its old folder of the user) and drover."
    )
    drover_entries: str = _setting(
        "", "The folder of drover's entries; empty: the usual ones, such as `.memory` or `entries`."
    )
    drover_filenames: list[str] = _setting(
        ["AGENTS.md", "CLAUDE.md"], "The instruction files that drover reads in each folder."
    )
    drover_index: int = _setting(30, "Entries that drover's index lists at most; 0: no index.")
    drover_writes: int = _setting(
        1, "Entries an agent may save over MCP between two calls of `prompt`; 0: no limit."
    )
    memory_template: str = _setting(
        "",
        "A custom memory template for deepagentsdk and deepagents-cli; empty: the runtime's own.",
    )
    interpreter: str = _setting(
        "", "A Python interpreter whose packages hold the runtime's templates; empty: found."
    )
    budget_tokens: int = _setting(
        4000, "Estimated tokens the composed prompt should stay under; 0: no budget."
    )
    file_bytes: int = _setting(
        32768, "Bytes one memory file should stay under; 0: no limit of the user's own."
    )
    chain_bytes: int = _setting(
        32768,
        "Bytes the AGENTS.md files from the project's root down to a folder should stay under "
        "together (32768 is what Codex reads by default, `project_doc_max_bytes`); 0: no limit.",
    )
    rules: dict[str, str] = _setting(
        {}, "Severity per rule, by code or name: `error`, `warning`, `info` or `off`."
    )
    allowed_secrets: list[str] = _setting(
        [], "SHA-256 of values that look like a secret and are none (never the value itself)."
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
"""The name of a setting in files and editors, and the field it fills."""


def merge(
    base: Settings, values: Mapping[str, Any], where: str, known: KnownNames
) -> tuple[Settings, list[SettingProblem]]:
    """Lay ``values`` (nested tables or dotted keys) over ``base``.

    What is not understood is left at ``base`` and reported.
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
        if value is None:  # how a client says that nothing is set
            continue
        wrong = _wrong(getattr(base, name), value, by_name[name].metadata) or _unknown(
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
    """Lay the user's own ``~/.deepagents/agent-memory.toml`` over ``base``."""
    problems: list[SettingProblem] = []
    path = home / PROJECT_FILE
    settings, bad = merge(base, _read_toml(path, "", problems, read), str(path), known)
    return settings, problems + bad


def load_project(
    start: Path, base: Settings, known: KnownNames, read: Reader = read_file
) -> tuple[Settings, list[SettingProblem]]:
    """Lay the project's ``[tool.agent-memory]`` of pyproject.toml, then agent-memory.toml, over it.

    They are looked for in ``start`` and the folders above it, up to the one with ``.git``; the
    nearest folder that has settings counts. Outside a git project only ``start`` is looked at.
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
    """Return the agent-memory.toml that counts for ``start``, or would if it were made.

    That is the one beside the settings that count; where there are none, that of the project's
    root, so that every folder of the project has it.
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
    """Return the folders whose settings may count for ``start``, the nearest first."""
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
    if wrong and not table:  # somebody else's broken pyproject.toml is not ours to report
        problems.append(SettingProblem(str(path), "file", t("cannot be read: {0}", wrong)))
    for part in table.split(".") if table else ():
        values = values.get(part, {})
        if not isinstance(values, dict):
            return {}
    return values


def flatten(values: Mapping[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    """Return (dotted key, value) of nested tables; a table that is a setting stays whole."""
    flat: list[tuple[str, Any]] = []
    for key, value in values.items():
        name = f"{prefix}{key}"
        if isinstance(value, Mapping) and name not in KEYS:
            flat += flatten(value, f"{name}.")
        else:
            flat.append((name, value))
    return flat


def _wrong(default: Any, value: Any, meta: Mapping[str, Any]) -> str:
    """Return what is wrong with ``value`` where ``default`` stood; '' if nothing is."""
    if type(value) is not type(default):
        wanted, got = _type_name(default), _type_name(value)
        return t("expected {0}, got {1}; the default is used", wanted, got)
    if isinstance(value, int) and not isinstance(value, bool) and value < meta["minimum"]:
        return t("must be at least {0}, got {1}; the default is used", meta["minimum"], value)
    if isinstance(value, list) and not all(isinstance(item, str) for item in value):
        return t("every item must be a string; the default is used")
    return ""


def _unknown(name: str, value: Any, known: KnownNames) -> str:
    """Return why ``value``, of the right type, is not a known name; '' if it is one."""
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
            bad.append(SettingProblem(where, f"rules.{key}", t("no such rule; {0}", hint)))
        elif value not in SEVERITIES:
            said = t("must be one of {0}; the rule keeps its own severity", ", ".join(SEVERITIES))
            bad.append(SettingProblem(where, f"rules.{key}", said))
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
