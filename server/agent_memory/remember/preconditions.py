"""What may still stand in the way of a plan that is ready: said elsewhere, consent, limits.

Each takes a plan and returns it, or one with another outcome or a note in its message.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from agent_memory.base.model import Role, Scope, Status
from agent_memory.l10n import t
from agent_memory.remember.duplicates import find_opposite, find_said
from agent_memory.remember.plan import Outcome
from agent_memory.skills.skill_file import MAX_CHARS

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.remember.plan import Plan
    from agent_memory.runtimes.selection import Choice

SKILL_LINES = 500
"""Lines the Agent Skills specification advises a SKILL.md to stay under."""


def said_elsewhere(ctx: Context, choice: Choice, made: Plan) -> Plan:
    """Return a duplicate if another file that the agent receives already says it."""
    for source in choice.runtime.sources(ctx):
        if source.status is not Status.LOADED or source.path == made.path:
            continue
        said = find_said(ctx.store.read(source.path).lines, made.tidy, exact=True)
        if said:
            return replace(
                made,
                outcome=Outcome.DUPLICATE,
                message=t(
                    "The agent already reads this in {0} memory: line {1} of {2}",
                    t(source.scope),
                    said.line + 1,
                    source.path,
                ),
                path=source.path,
                line=said.line,
                section=said.section,
                edits=(),
                creates=(),
            )
    return made


def opposite(ctx: Context, choice: Choice, made: Plan) -> Plan:
    """Say so if a file that the agent receives tells it to do the opposite."""
    for source in choice.runtime.sources(ctx):
        if source.status is Status.LOADED or source.path == made.path:
            line = find_opposite(ctx.store.read(source.path).lines, made.tidy)
            if line is not None:
                note = t("It contradicts line {0} of {1}: keep one", line + 1, source.path.name)
                return noted(made, note)
    return made


def consent(ctx: Context, made: Plan, folder: Path | None = None) -> Plan:
    """Return a request for consent if ``folder`` (None: the file's) would have to be made."""
    folder = folder or made.path.parent
    if folder.is_dir() or folder.is_relative_to(ctx.user_folder):
        return made
    return replace(
        made,
        outcome=Outcome.CONSENT,
        message=t("The project has no {0} folder yet: may {1} be made?", folder.name, folder),
        edits=(),
        creates=(),
    )


def outside(ctx: Context, choice: Choice, made: Plan) -> Plan:
    """Say so if the runtime finds no project here, and so will not read the file yet."""
    runtime = choice.runtime
    if made.scope is not Scope.PROJECT or not runtime.project_files or runtime.root(ctx):
        return made
    return noted(
        made, t("{0} reads it only once {1} is a git repository", runtime.id, ctx.cwd.name)
    )


def read_by(chosen: Choice, reader: Choice, made: Plan) -> Plan:
    """Say so if it is not the chosen runtime that reads the file, but another one."""
    if chosen.runtime.id == reader.runtime.id:
        return made
    return noted(made, t("{0} reads it, {1} does not", reader.runtime.id, chosen.runtime.id))


def noted(made: Plan, note: str) -> Plan:
    """Return ``made`` with one more sentence in its message."""
    if made.message.endswith("?"):  # what is asked stays at the end
        return replace(made, message=f"{note}. {made.message}")
    return replace(made, message=f"{made.message}. {note}")


def not_for_agents(made: Plan) -> Plan:
    """Refuse what an agent must not write: instruction files are given to it by developers."""
    if made.role is not Role.INSTRUCTIONS:
        return made
    return replace(
        made,
        outcome=Outcome.REFUSED,
        message=f"Not filed: {made.path.name} is an instruction file, which agents only read. "
        "Save an entry in its place, or leave it to a person",
        edits=(),
        creates=(),
    )


def limits(ctx: Context, choice: Choice, made: Plan) -> Plan:
    """Say so if the file gets too large; refuse where the runtime would cut the item off."""
    added = sum(len(edit.text.encode("utf-8", "surrogatepass")) for edit in made.edits)
    added += sum(len(text.encode("utf-8", "surrogatepass")) for _, text in made.creates)
    content = ctx.store.read(made.path)
    size = content.size + added
    skill = made.role is Role.SKILL
    hard = MAX_CHARS if skill else choice.runtime.max_file_bytes
    if hard and size > hard and made.role is not Role.NOTE and not made.anyway:
        facts = (made.path.name, size, t(choice.runtime.title), hard)
        out = t(
            "Not filed: {0} would have {1:,} bytes and {2} leaves a skill out at {3:,}. "
            "Shorten or split the file first",
            *facts,
        )
        cut = t(
            "Not filed: {0} would have {1:,} bytes and {2} cuts it off at {3:,}. "
            "Shorten or split the file first",
            *facts,
        )
        return replace(
            made,
            outcome=Outcome.REFUSED,
            message=out if skill else cut,
            edits=(),
            creates=(),
        )
    if skill:
        return _long_skill(made, len(content.lines))
    limit = ctx.settings.file_bytes
    if limit and size > limit and made.role is not Role.NOTE:
        note = t("; the file then has {0:,} bytes, over your limit of {1:,}", size, limit)
        return replace(made, message=made.message + note)
    return made


def _long_skill(made: Plan, lines: int) -> Plan:
    lines += sum(edit.text.count("\n") for edit in made.edits)
    if lines <= SKILL_LINES:
        return made
    note = t(
        "The skill then has {0:,} lines; over {1} move details to a file beside", lines, SKILL_LINES
    )
    return noted(made, note)
