"""``.claude-mpm/config.yml``: switches and limits of memory.

With an invalid file the defaults apply, and a problem reports it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeGuard

from agent_memory.entries.yaml_reader import YamlError, load_mapping
from agent_memory.formats.limits import unexpected
from agent_memory.fs.reader import Failure
from agent_memory.l10n import t
from agent_memory.runtimes.claude_mpm_names import FOLDER, key_of

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.config.context import Context

DEFAULT_KB = 8
_NUMBERS = {"default_size_kb": DEFAULT_KB, "max_sections": 10, "max_items_per_section": 15}
"""The limits and their defaults, by their keys in the file."""


@dataclass(frozen=True)
class ClaudeMpmConfig:
    """The contents of the file. Sizes are in KB of 1,024 bytes; ``auto_learning`` None: not set.

    ``path`` is None if there is no file; ``limits`` are by their keys; ``overrides`` are the tables
    of agents by the written name; ``problems`` are sentences about what is invalid.
    """

    path: Path | None = None
    enabled: bool = True
    auto_learning: bool | None = None
    limits: dict[str, int] = field(default_factory=_NUMBERS.copy)
    overrides: dict[str, dict[str, Any]] = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    def of_agent(self, agent: str) -> dict[str, Any]:
        """Return the overrides for ``agent``, {} without any; any spelling of the key counts.

        If several keys are spellings of ``agent``, their tables are merged. The values of a key
        that is written as an id win, such as `qa` over `QA` and `qa_agent`.
        """
        keys = [key for key in self.overrides if key_of(key) == key_of(agent)]
        # The last key wins below, so the preferred one is sorted last (False sorts before True):
        # a key that is an id, and among these the one that is spelled like `agent`.
        keys.sort(key=lambda key: (key_of(key) == key.replace("-", "_"), key == agent))
        overrides: dict[str, Any] = {}
        for key in keys:
            overrides |= self.overrides[key]
        return overrides

    def size_kb(self, agent: str) -> int:
        """Return the maximum size of ``agent``'s file in KB."""
        own = self.of_agent(agent).get("size_kb")
        return own if _is_count(own) else self.limits["default_size_kb"]

    def learns(self, agent: str) -> bool:
        """Whether Claude MPM extracts learnings from ``agent``'s output automatically."""
        return self.enabled and bool(self._auto_learning_of(agent))

    def forbids(self, agent: str) -> bool:
        """Whether the file forbids learnings from ``agent``'s output.

        It does not if `auto_learning` is not set, although :meth:`learns` is False then.
        """
        return not self.enabled or self._auto_learning_of(agent) is False

    def _auto_learning_of(self, agent: str) -> bool | None:
        """Return `auto_learning` of ``agent``, else that of all agents, None if neither is set."""
        own = self.of_agent(agent).get("auto_learning")
        return own if isinstance(own, bool) else self.auto_learning


def load(ctx: Context, root: Path | None) -> ClaudeMpmConfig:
    """Return the configuration of the project at ``root``.

    Without a root or a file, it has the defaults. For an unreadable or invalid file it has the
    defaults too, and a problem.
    """
    if root is None:
        return ClaudeMpmConfig()
    path = root / FOLDER / "config.yml"
    content = ctx.store.read(path)
    if content.failure is Failure.MISSING:
        return ClaudeMpmConfig()
    if content.failure:
        return ClaudeMpmConfig(
            path, problems=(t("{0}: {1}; the defaults apply", path, content.failure.words),)
        )
    try:
        # a key without a value is None
        memory = load_mapping(content.text.replace("\r\n", "\n")).get("memory") or {}
    except Exception as error:  # noqa: BLE001 -- a bad configuration stops nothing
        why = error if isinstance(error, YamlError) else unexpected(error, "a configuration")
        return ClaudeMpmConfig(
            path, problems=(t("{0}: invalid YAML ({1}); the defaults apply", path, why),)
        )
    return _checked(path, memory)


def _checked(path: Path, memory: Any) -> ClaudeMpmConfig:
    """Return the configuration in ``memory``, the value of the key `memory` in the file ``path``.

    An invalid value is replaced by its default, and a problem reports it.
    """
    if not isinstance(memory, dict):
        return ClaudeMpmConfig(
            path, problems=(t("{0}: `memory` must be a table; it is ignored", path),)
        )
    switches, bad_switches = _switches(path, memory)
    limits, bad_limits = _limits(path, _table(memory, "limits"))
    overrides = {
        str(agent): values
        for agent, values in _table(memory, "agent_overrides").items()
        if isinstance(values, dict)
    }
    return ClaudeMpmConfig(
        path,
        enabled=bool(switches["enabled"]),  # `bool` is only for the type
        auto_learning=switches["auto_learning"],
        limits=limits,
        overrides=overrides,
        problems=(*bad_switches, *bad_limits),
    )


def _switches(path: Path, memory: dict[str, Any]) -> tuple[dict[str, bool | None], list[str]]:
    """Return the switches of ``memory`` by their keys, and problems.

    A problem reports a switch that is not a boolean; it keeps its default.
    """
    switches: dict[str, bool | None] = {"enabled": True, "auto_learning": None}
    problems = []
    for key in [name for name in switches if name in memory]:
        value = memory[key]
        if isinstance(value, bool):
            switches[key] = value
        else:
            problems.append(t("{0}: memory.{1} must be true or false; it is ignored", path, key))
    return switches, problems


def _limits(path: Path, written: dict[str, Any]) -> tuple[dict[str, int], list[str]]:
    """Return the limits by their keys, and problems; ``written`` are the limits in the file.

    A problem reports a limit that is not a whole number from 1 up; it keeps its default.
    """
    limits = dict(_NUMBERS)
    problems = []
    for key, default in _NUMBERS.items():
        value = written.get(key, default)
        if _is_count(value):
            limits[key] = value
        else:
            problems.append(
                t("{0}: memory.limits.{1} must be at least 1; it is ignored", path, key)
            )
    return limits, problems


def _table(memory: dict[str, Any], key: str) -> dict[str, Any]:
    """Return the table ``key`` of ``memory``, {} if it is missing or not a table."""
    value = memory.get(key)
    return value if isinstance(value, dict) else {}


def _is_count(value: Any) -> TypeGuard[int]:
    """Whether ``value`` is a whole number from 1 up; `true`, an int in Python, does not count."""
    return isinstance(value, int) and not isinstance(value, bool) and value > 0
