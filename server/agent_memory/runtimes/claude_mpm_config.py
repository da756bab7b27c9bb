"""``.claude-mpm/config.yml``: switches and limits of memory (requirement E35).

A broken file never stops anything: the defaults stand, and the problem is said.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agent_memory.files import Failure
from agent_memory.yaml12 import YamlError, load_mapping

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.context import Context

DEFAULT_KB = 8
_NUMBERS = {"default_size_kb": DEFAULT_KB, "max_sections": 10, "max_items_per_section": 15}


@dataclass(frozen=True)
class Config:
    """What the file says. Sizes are in KB of 1,024 bytes."""

    path: Path | None = None
    enabled: bool = True
    auto_learning: bool = False
    limits: dict[str, int] = field(default_factory=_NUMBERS.copy)
    overrides: dict[str, dict[str, Any]] = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    def of_agent(self, agent: str) -> dict[str, Any]:
        """Return what is set for ``agent``, under its id or with ``_agent`` (decision X29)."""
        return {**self.overrides.get(f"{agent}_agent", {}), **self.overrides.get(agent, {})}

    def size_kb(self, agent: str) -> int:
        """Return the most KB that ``agent``'s file may have."""
        own = self.of_agent(agent).get("size_kb")
        return int(own) if own and _is_count(own) else self.limits["default_size_kb"]

    def learns(self, agent: str) -> bool:
        """Whether learnings are taken from what ``agent`` says."""
        own = self.of_agent(agent).get("auto_learning")
        return self.enabled and (own if isinstance(own, bool) else self.auto_learning)


def load(ctx: Context, root: Path | None) -> Config:
    """Return the configuration of the project at ``root``."""
    if root is None:
        return Config()
    path = root / ".claude-mpm" / "config.yml"
    content = ctx.store.read(path)
    if content.failure is Failure.MISSING:
        return Config()
    if content.failure:
        return Config(path, problems=(f"{path}: {content.failure.value}; the defaults are used",))
    try:
        memory = load_mapping(content.text.replace("\r\n", "\n")).get("memory") or {}
    except YamlError as error:
        return Config(path, problems=(f"{path}: not readable ({error}); the defaults are used",))
    return _checked(path, memory)


def _checked(path: Path, memory: Any) -> Config:
    if not isinstance(memory, dict):
        return Config(path, problems=(f"{path}: `memory` should be a table; it is ignored",))
    problems = []
    switches = {"enabled": True, "auto_learning": False}
    for key, default in switches.items():
        value = memory.get(key, default)
        if isinstance(value, bool):
            switches[key] = value
        else:
            problems.append(f"{path}: memory.{key} should be true or false; {default} is used")
    limits = dict(_NUMBERS)
    given = memory.get("limits") or {}
    for key, usual in _NUMBERS.items():
        value = given.get(key, usual) if isinstance(given, dict) else usual
        if _is_count(value):
            limits[key] = value
        else:
            problems.append(f"{path}: memory.limits.{key} should be a number from 1; it is ignored")
    overrides = memory.get("agent_overrides") or {}
    good = {
        str(name): values
        for name, values in (overrides.items() if isinstance(overrides, dict) else ())
        if isinstance(values, dict)
    }
    return Config(
        path, switches["enabled"], switches["auto_learning"], limits, good, tuple(problems)
    )


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0
