"""What all tools share: the project, what a person allows, and how errors are worded."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.base.model import Scope
from agent_memory.config.write_roots import is_user_path
from agent_memory.entries.index_block import WriteLimit
from agent_memory.entries.validation import EntryError, SecretError
from agent_memory.fs.overlay import Store
from agent_memory.integrations.tools.powers import Powers
from agent_memory.remember.plan import Outcome
from agent_memory.runtimes.drover import Drover

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from agent_memory.config.context import Context
    from agent_memory.remember.plan import Plan

_REDACT = "Remove it, or pass redact=true to save the text without the value"
_ADVICE = {
    "not_found": "Call list_entries or recall for the IDs that exist",
    "invalid_id": "Call list_entries or recall for the IDs that exist",
    "path_escape": "Ask the user for another name (--agent, --run)",
}
"""By the reason of an EntryError."""
_NEEDS = {
    "agentId": "Use scope global, or ask the user to name this agent (--agent NAME)",
    "runId": "Use scope global, or ask the user to name this run (--run ID)",
}
"""The advice for an EntryError "... requires agentId", by the required field."""


class Toolbox:
    """The memory of one project for one agent. ``allow`` are the powers a person has given.

    ``runtime`` is an id (None: that of the settings, else a detected one). If it is drover, and not
    only detected, ``writes`` limits the entries that are saved in one turn, as drover does. A tool
    does not notice turns, so composing the prompt begins the next one.
    """

    def __init__(self, ctx: Context, runtime: str | None, allow: Collection[str]) -> None:
        self._ctx = ctx
        self.runtime = runtime
        self.powers = Powers(allow)
        is_drover = (runtime or ctx.settings.runtime) == Drover.id
        self.writes = WriteLimit(ctx.settings.drover_writes if is_drover else 0)  # 0: no limit

    def fresh(self) -> Context:
        """Return the context with a new store, which is not thread-safe: tools run in threads."""
        return self._ctx.with_(store=Store())

    def needed(self, plan: Plan) -> dict[str, str]:
        """Return {power: sentence on what it would do} for the powers that ``plan`` needs.

        A plan that cannot be carried out needs none.
        """
        needed: dict[str, str] = {}
        if plan.outcome not in (Outcome.READY, Outcome.CONSENT):
            return needed
        # A person who names the store of entries (--store) has allowed to write there.
        is_in_named_store = plan.entry is not None and self._ctx.entries is not None
        is_of_user = plan.scope is Scope.USER or is_user_path(plan.path, self._ctx.home)
        if is_of_user and not is_in_named_store:
            needed["user"] = f"The file is {plan.path}."
        if plan.outcome is Outcome.CONSENT:
            needed["create"] = f"The folder is {plan.folder}."
        if plan.evicts:
            needed["evict"] = f"{plan.message}."
        return needed


def refusal(plan: Plan) -> UsageError:
    """Return the error for a plan that cannot be carried out.

    If the text has a secret, the message says what the agent can do about it.
    """
    advice = f". {_REDACT}" if plan.outcome is Outcome.SECRET else ""
    return UsageError(f"{plan.message}{advice}")


@contextlib.contextmanager
def readable_errors() -> Iterator[None]:
    """Turn an expected error inside ``with`` into a message that says what the agent can do.

    Raises:
        UsageError: the block raised an EntryError, OSError or ValueError; the message has an
            advice, unless none is known for the EntryError. Any other UsageError of the block
            stays as it is.

    """
    try:
        yield
    except SecretError as error:
        raise UsageError(f"{error}. {_REDACT}") from error
    except EntryError as error:
        text = str(error).rstrip(".")
        advice = _ADVICE.get(error.reason, "")
        for field, advice_for_field in _NEEDS.items():
            if text.endswith(f"requires {field}"):
                advice = advice_for_field
        raise UsageError(f"{text}. {advice}" if advice else text) from error
    except UsageError:
        raise  # its message is for the agent already
    except (OSError, ValueError) as error:
        message = f"This is not possible ({error}). Check the arguments, then try again"
        raise UsageError(message) from error
