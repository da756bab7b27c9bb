"""What agents may do over MCP beyond adding to memory of the project and of their own.

A person allows it when the server starts (``--allow``), or when the client asks them (elicitation).
"""

from __future__ import annotations

import contextlib
import inspect
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

from agent_memory.base.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

POWERS = {
    "user": "save to the user's own memory, which is read in every project",
    "create": "create the project's memory folder",
    "evict": "move old items to the archive to make room",
    "forget": "remove learned entries",
}
"""By the name that ``--allow`` accepts: the sentence for a person."""


class NotAllowedError(UsageError):
    """No person has allowed the agent ``power``; ``detail`` says what it would do."""

    def __init__(self, power: str, detail: str = "") -> None:
        self.power = power
        self.detail = detail
        super().__init__(
            f"{detail} Nothing was changed: an agent may not {POWERS[power]} by itself. Ask the "
            f"user to do it, or to start the server with --allow {power}".strip()
        )


class Powers:
    """The powers that a person has given with a switch: ``allow`` are their names."""

    def __init__(self, allow: Collection[str]) -> None:
        self._allow = frozenset(allow)

    def missing(self, needed: Mapping[str, str]) -> dict[str, str]:
        """Return the ``needed`` powers, each with what it would do, that are not given."""
        return {power: detail for power, detail in needed.items() if power not in self._allow}

    def require(
        self, needed: Mapping[str, str], agreed: Mapping[str, bool], *, granted: bool
    ) -> None:
        """Check that a person allows the ``needed`` powers: now (``granted``) or by a switch.

        With a switch, the agent says that it has asked, by the parameter of the power's name.

        Raises:
            NotAllowedError: no person has allowed a power.
            UsageError: the agent has not passed the parameter.

        """
        if granted:
            return
        for power, detail in self.missing(needed).items():
            raise NotAllowedError(power, detail)
        for power, detail in needed.items():
            if not agreed.get(power, True):
                raise UsageError(
                    f"{detail} Nothing was written yet. Ask the user, then pass {power}=true"
                )


def question(needed: dict[str, str]) -> str:
    """Return the question to a person; ``needed`` are powers with what each would do."""
    rows = [f"- {POWERS[power]}. {detail}".rstrip() for power, detail in needed.items()]
    return "\n".join(("An agent asks for your permission to:", *rows))


def with_consent(
    tool: Callable[..., Any], needed: Callable[..., dict[str, str]]
) -> Callable[..., Any]:
    """Return ``tool`` as the server registers it: the client asks a person where it can.

    ``needed`` is called with the arguments of the tool and returns the powers that a person has not
    allowed yet. The parameter ``granted`` of the tool is hidden from agents.
    """
    from mcp.server.elicitation import ElicitationResult  # noqa: PLC0415 -- an optional package
    from mcp.server.mcpserver import Context  # noqa: PLC0415
    from mcp.server.mcpserver.resolve import Elicit, Resolve  # noqa: PLC0415
    from pydantic import BaseModel, Field  # noqa: PLC0415

    class Consent(BaseModel):
        allow: bool = Field(default=False, description="Allow it once")

    def ask(context: Any, **arguments: Any) -> Any:
        missing: dict[str, str] = {}
        with contextlib.suppress(UsageError, OSError, ValueError):  # the tool reports it
            missing = needed(**arguments) if _can_ask(context) else missing
        return Elicit(question(missing), Consent) if missing else Consent()

    def run(consent: Any, **arguments: Any) -> Any:
        granted = consent.action == "accept" and consent.data.allow
        return tool(**arguments, granted=granted)

    _declare(ask, needed, context=Context)
    _declare(run, tool, consent=Annotated[ElicitationResult[Consent], Resolve(ask)])
    run.__name__, run.__doc__ = tool.__name__, tool.__doc__
    return run


def _can_ask(context: Any) -> bool:
    capabilities = context.session.client_capabilities
    elicitation = capabilities and capabilities.elicitation
    return bool(elicitation) and (elicitation.form is not None or elicitation.url is None)


def _declare(function: Any, like: Callable[..., Any], **more: Any) -> None:
    """Give ``function`` the parameters of ``like`` without ``granted``, and ``more`` by type."""
    hints = get_type_hints(like)
    hints.pop("granted", None)
    signature = inspect.signature(like)
    kind = inspect.Parameter.KEYWORD_ONLY
    kept = [
        item.replace(kind=kind, annotation=hints[name])
        for name, item in signature.parameters.items()
        if name != "granted"
    ]
    kept += [inspect.Parameter(name, kind, annotation=given) for name, given in more.items()]
    returned = hints.get("return")
    function.__signature__ = signature.replace(parameters=kept, return_annotation=returned)
    function.__annotations__ = {**hints, **more}
