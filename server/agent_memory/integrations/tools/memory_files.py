"""The tools for memory files: remember and prompt."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from agent_memory import serialize
from agent_memory.integrations.tools.answers import PromptBlock, Saved, SourceFile, stored
from agent_memory.integrations.tools.parameters import (
    Evict,
    File,
    Redact,
    Scope,
    Section,
    Text,
)
from agent_memory.integrations.tools.toolbox import readable_errors, refusal
from agent_memory.prompt.compose import compose
from agent_memory.remember import planner
from agent_memory.remember.plan import Outcome
from agent_memory.remember.snippet import Snippet
from agent_memory.secrets import mask_parts

if TYPE_CHECKING:
    from agent_memory.integrations.tools.toolbox import Toolbox
    from agent_memory.remember.plan import Plan


class MemoryFileTools:
    """Remember a fact, show the prompt. ``box`` is the project."""

    def __init__(self, box: Toolbox) -> None:
        self._box = box

    def remember(  # noqa: PLR0913 -- the parameters of the tool
        self,
        text: Text,
        scope: Scope = "project",
        section: Section = "",
        file: File = "",
        *,
        redact: Redact = False,
        evict: Evict = False,
        granted: bool = False,
    ) -> Saved:
        """Save a fact to the memory files, which every session reads at its start.

        For what is needed in most sessions. Save anything else with remember_entry. A fact that
        exists is not saved twice; a text with a key, token or password is refused.
        """
        with readable_errors():
            plan = self._plan(text, scope, section, file, redact=redact)
            needed = self._box.needed(plan)
            self._box.powers.require(needed, agreed={"evict": evict}, granted=granted)
            if plan.outcome is Outcome.CONSENT:  # given by the power "create" above
                plan = self._plan(text, scope, section, file, redact=redact, create=True)
            if plan.outcome is Outcome.READY:
                plan = planner.apply(plan)
            elif plan.outcome is not Outcome.DUPLICATE:
                raise refusal(plan)
        return saved(plan)

    def missing_powers_to_remember(
        self, text: Text, scope: Scope, section: Section, file: File, *, redact: Redact
    ) -> dict[str, str]:
        """Return the powers that a person has not given yet for :meth:`remember`.

        Each has a sentence on what it would do. The parameters are those of the call.
        """
        plan = self._plan(text, scope, section, file, redact=redact)
        return self._box.powers.missing(self._box.needed(plan))

    def prompt(self) -> PromptBlock:
        """Return the memory block of the system prompt, with its sources and sizes."""
        self._box.writes.start_turn()  # drover's limit of saves counts from 0 again
        with readable_errors():
            ctx = self._box.fresh()
            prompt = compose(ctx, self._box.runtime)
        mask = partial(mask_parts, allowed=ctx.settings.allowed_secrets)
        answer = serialize.prompt_json(
            prompt, lambda path: ctx.store.read(path).lines, ctx.settings.budget_tokens, mask
        )
        # Only what an agent needs, in the shape of the declared answers.
        block = {key: answer[key] for key in ("runtime", "agent", "text", "tokens")}
        files = [{key: row[key] for key in SourceFile.__annotations__} for row in answer["sources"]]
        return cast("PromptBlock", {**stored(), **block, "sources": files})

    def _plan(
        self,
        text: str,
        scope: str,
        section: str,
        file: str,
        *,
        redact: bool,
        create: bool = False,
    ) -> Plan:
        """Return the plan to add ``text`` to the memory of ``scope``, or to ``file`` ('': none).

        The other options are those of :func:`agent_memory.remember.planner.plan`. ``by_agent``
        refuses instruction files and the memory of other agents.
        """
        return planner.plan(
            self._box.fresh(),
            Snippet(text),
            Path(file) if file else scope,
            section=section or None,
            redact=redact,
            create=create,
            runtime_id=self._box.runtime,
            by_agent=True,
        )


def saved(plan: Plan) -> Saved:
    """Return the answer for ``plan``, which was carried out or found a duplicate."""
    return {
        "outcome": "duplicate" if plan.outcome is Outcome.DUPLICATE else "ready",
        "message": plan.message,
        "path": str(plan.path),
        "line": plan.line + 1,
    }
