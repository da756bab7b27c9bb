"""Headlines of plans that insert an item."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.l10n import t

if TYPE_CHECKING:
    from agent_memory.remember.plan import Plan


def duplicate_message(plan: Plan, *, exact: bool) -> str:
    """Return the sentence that names the file and line of the duplicate in ``plan``.

    Without ``exact``, it is a near match.
    """
    name, line = plan.path.name, plan.line + 1
    if not exact:
        return t("Line {0} of {1} already says nearly the same", line, name)
    if plan.label == name:  # then the label need not be named too
        return t("Already in {0} (line {1})", name, line)
    return t("Already in {0} ({1}, line {2})", plan.label, name, line)


def added_message(plan: Plan) -> str:
    """Return the sentence that says what the edit of ``plan`` does; it is shown after the edit."""
    count = plan.formatted.count
    if plan.creates:
        name = "/".join(plan.path.parts[-2:])  # with its folder: the file is new to the user
        if count == 1:
            return t("Created {0} and added 1 item", name)
        return t("Created {0} and added {1} items", name, count)
    name, line = plan.label, plan.line + 1
    if plan.new_section:
        if count == 1:
            return t(
                "Added to {0} under the new heading '{1}' (line {2})", name, plan.section, line
            )
        values = (count, name, plan.section, line)
        return t("Added {0} items to {1} under the new heading '{2}' (line {3})", *values)
    if not plan.section:
        if count == 1:
            return t("Added to the end of {0} (line {1})", name, line)
        return t("Added {0} items to the end of {1} (line {2})", count, name, line)
    if count == 1:
        return t("Added to {0} > {1} (line {2})", name, plan.section, line)
    return t("Added {0} items to {1} > {2} (line {3})", count, name, plan.section, line)
