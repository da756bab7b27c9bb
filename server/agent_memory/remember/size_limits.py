"""Size limits of the runtime, the Agent Skills specification and the user."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from agent_memory.base.model import Role
from agent_memory.l10n import t
from agent_memory.remember.plan import Outcome
from agent_memory.skills.skill_file import MAX_CHARS

if TYPE_CHECKING:
    from agent_memory.config.context import Context
    from agent_memory.remember.plan import Plan
    from agent_memory.runtimes.selection import Choice

SKILL_LINES = 500
"""Maximum lines of a SKILL.md that the Agent Skills specification recommends."""


def check_size(ctx: Context, choice: Choice, plan: Plan) -> Plan:
    """Return ``plan``; refused if its file would exceed the limit of the runtime.

    The runtime would cut such a file off at the limit, or skip the skill. ``plan.allow_duplicate``
    ignores this limit: the caller has chosen to save the item anyway. A skill with too many lines
    only gets a note, and so does any other file above the user's limit. A file with the role NOTE
    has no limit: the agent reads it when it needs it.
    """
    if plan.role is Role.NOTE:
        return plan
    content = ctx.store.read(plan.path)
    size = content.size + _added_bytes(plan)
    is_skill = plan.role is Role.SKILL
    # The limit of skills is in characters. A text has at least as many bytes, so no skill that the
    # runtime skips is accepted; one just below the limit can be refused.
    limit = MAX_CHARS if is_skill else choice.runtime.max_file_bytes
    # None: the runtime has no limit.
    if limit and size > limit and not plan.allow_duplicate:
        return _too_large(plan, size, t(choice.runtime.title), limit)
    if is_skill:
        return _check_skill_lines(plan, len(content.lines))
    user_limit = ctx.settings.file_bytes  # 0: no limit
    if user_limit and size > user_limit:
        facts = (size, user_limit)
        note = t("With it, the file has {0:,} bytes, more than your limit of {1:,}", *facts)
        return replace(plan, notes=(*plan.notes, note))
    return plan


def _added_bytes(plan: Plan) -> int:
    """Return the size in bytes of the texts that ``plan`` adds; replaced text is not subtracted."""
    texts = [*(edit.text for edit in plan.edits), *(text for _, text in plan.creates)]
    return sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)


def _too_large(plan: Plan, size: int, runtime: str, limit: int) -> Plan:
    """Return ``plan`` refused: its file would have ``size`` bytes, more than ``limit``.

    ``runtime`` is the title of the runtime with this limit.
    """
    facts = (plan.path.name, size, runtime, limit)
    if plan.role is Role.SKILL:
        message = t(
            "Not saved: {0} would have {1:,} bytes, and {2} skips skills of more than {3:,}. "
            "Shorten or split the file first",
            *facts,
        )
    else:
        message = t(
            "Not saved: {0} would have {1:,} bytes, and {2} cuts it off at {3:,}. "
            "Shorten or split the file first",
            *facts,
        )
    return replace(plan, outcome=Outcome.REFUSED, headline=message, edits=(), creates=())


def _check_skill_lines(plan: Plan, lines: int) -> Plan:
    """Return ``plan``, with a note if its skill would have too many lines.

    ``lines`` is the number of lines that the skill has now.
    """
    lines += sum(edit.text.count("\n") for edit in plan.edits)
    if lines <= SKILL_LINES:
        return plan
    note = t(
        "With it, the skill has {0:,} lines. Move details to a separate file to stay under {1}",
        lines,
        SKILL_LINES,
    )
    return replace(plan, notes=(*plan.notes, note))
