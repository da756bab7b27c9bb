"""Composing a tree with the real runtime and with ours, and comparing the results."""

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
    """Return our prompt of ``place`` with the templates of environment ``name``."""
    ctx = Context(
        place.home,
        place.cwd,
        settings=Settings(**settings),
        env={"VIRTUAL_ENV": str(install.HOME / name)},
        agent=place.agent,
    )
    return compose(ctx, install.ENVIRONMENTS[name].kind, base)


def listed(prompt: Prompt) -> list[str]:
    """Return the paths of memory files as they are passed to the SDK."""
    memory = [item for item in prompt.sources if item.role is Role.MEMORY]
    return [item.display for item in memory if item.status is not Status.IGNORED]


def theirs(driver: Driver, place: Place, base: str = BASE, **options: object) -> dict[str, str]:
    """Return the answer of the real runtime for ``place``: text or error."""
    return driver.ask(
        home=str(place.home),
        cwd=str(place.cwd),
        agent=place.agent,
        base=base,
        options=options,
    )


def verdict(real: dict[str, str], prompt: Prompt) -> str:
    """Return 'equal' or 'fails' if both agree; otherwise fail with the difference."""
    assert "ModuleNotFoundError" not in real.get("error", ""), real["error"]
    errors = [item for item in prompt.problems if item.severity is Severity.ERROR]
    if "error" in real:
        assert errors, f"the runtime fails ({real['error']}), but we report no error"
        return "fails"
    assert not errors, f"we report an error, but the runtime does not fail: {errors[0].message}"
    assert prompt.text.encode() == real["text"].encode()
    assert prompt.exactness == "exact", prompt.origin
    return "equal"
