"""Asking the real runtime and ours about one tree, and what their answers have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Role, Severity, Status
from agent_memory.config.context import Context
from agent_memory.config.settings import Settings
from agent_memory.prompt.compose import compose
from conformance import install

if TYPE_CHECKING:
    from agent_memory.prompt.compose import Prompt
    from conformance.conftest import Driver
    from conformance.place import Place

BASE = "You are a test.\n\nSecond paragraph."


def ours(place: Place, name: str, base: str = BASE, **settings: object) -> Prompt:
    """Compose the prompt of ``place`` with the templates of environment ``name``."""
    ctx = Context(
        place.home,
        place.cwd,
        settings=Settings(**settings),
        env={"VIRTUAL_ENV": str(install.HOME / name)},
        agent=place.agent,
    )
    return compose(ctx, install.ENVIRONMENTS[name].kind, base)


def listed(prompt: Prompt) -> list[str]:
    """Return the memory files that are handed to the SDK, as they are written."""
    memory = [item for item in prompt.sources if item.role is Role.MEMORY]
    return [item.display for item in memory if item.status is not Status.IGNORED]


def theirs(driver: Driver, place: Place, base: str = BASE, **options: object) -> dict[str, str]:
    """Ask the real runtime for the prompt of ``place``."""
    return driver.ask(
        home=str(place.home),
        cwd=str(place.cwd),
        agent=place.agent,
        base=base,
        options=options,
    )


def verdict(real: dict[str, str], prompt: Prompt) -> str:
    """Return 'equal' or 'ends' where both agree; fail with the difference where they do not."""
    assert "ModuleNotFoundError" not in real.get("error", ""), real["error"]
    ends = [item for item in prompt.problems if item.severity is Severity.ERROR]
    if "error" in real:
        assert ends, f"the runtime fails ({real['error']}), and we do not say so"
        return "ends"
    assert not ends, f"we say that the runtime fails, and it does not: {ends[0].message}"
    assert prompt.text.encode() == real["text"].encode()
    assert prompt.exactness == "exact", prompt.origin
    return "equal"
