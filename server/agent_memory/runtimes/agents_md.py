"""Reading and composing AGENTS.md, as deepagents-code and the deepagents SDK do, per version.

Both load memory with the SDK's middleware (``deepagents/middleware/memory.py``). It opens files
without following a symlink as the last path component. On any error except a missing file, the
agent exits; 0.3.2 also exits if a file is missing.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.model import Exactness, Role, Scope, Segment, Source, Status
from agent_memory.fs.reader import Failure
from agent_memory.l10n import t
from agent_memory.runtimes import wording
from agent_memory.runtimes.installed import release
from agent_memory.runtimes.python_literals import lines_in
from agent_memory.runtimes.reading import status_of, with_effect
from agent_memory.runtimes.segments import fill, right_stripped, without_comments
from agent_memory.runtimes.skills_block import sdk_fields
from agent_memory.runtimes.templates import Template, TemplateSpec, load

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.runtimes.installed import Installed
    from agent_memory.skills.discovery import Skill, SkillFolder

MODULE = "deepagents/middleware/memory.py"
KNOWN = {
    "ae044afe26f89792": ("0.3.2", "0.3.3"),
    "24a530cbb0b91ddc": ("0.3.4", "0.4.2"),
    "145a54e22cc0e7d0": ("0.4.3", "0.6.1"),
    "b86e8c58cf861e64": ("0.6.2", "0.7.32"),
}
"""The first and the last version with a template, by the hash of the template."""
_SKILLS_MODULE = "deepagents/middleware/skills.py"
_SKILLS = TemplateSpec(
    _SKILLS_MODULE,
    "SKILLS_SYSTEM_PROMPT",
    {"a772427b7332951d": ("0.6.5", "0.7.32")},
    frozenset({"skills_locations", "skills_load_warnings", "skills_list"}),
    wording.SKILLS,
)


class ComposeRule(NamedTuple):
    """How the SDK composes from version ``since`` on."""

    since: tuple[int, ...]
    before_base: bool = False  # the block precedes the base prompt
    separator: str = "\n\n"  # between a file's path and its content
    strips_end: bool = True  # white space at the end of a file is dropped
    strips_comments: bool = True  # HTML comments are dropped
    names_files: bool = True  # each text follows the path of its file
    fails_if_missing: bool = False  # a missing file is an error too


_WITHOUT_PATHS = ComposeRule(
    (0, 3, 3),
    before_base=True,
    separator="",
    strips_end=False,
    strips_comments=False,
    names_files=False,
)
"""The rule of 0.3.3."""
RULES = (
    ComposeRule((0, 6, 3)),
    ComposeRule((0, 6, 2), strips_comments=False),
    ComposeRule((0, 3, 7), separator="\n", strips_end=False, strips_comments=False),
    ComposeRule(
        (0, 3, 4), before_base=True, separator="\n", strips_end=False, strips_comments=False
    ),
    _WITHOUT_PATHS,
    _WITHOUT_PATHS._replace(since=(), fails_if_missing=True),
)
"""The rules, newest first; the last one is that of all older versions."""


def rule_for(version: str) -> ComposeRule:
    """Return the rule of ``version``, the newest if it is '' or not a plain release."""
    number = release(version)
    if not number:
        return RULES[0]
    return next(rule for rule in RULES if number >= rule.since)


class PassedFile(NamedTuple):
    """A memory file that a program passes to the SDK.

    ``path`` is as written; ``kind`` is that of the segments of the file, '' for its scope.
    """

    path: str
    kind: str = ""


def passed_files(ctx: Context, agent: str, root: Path | None) -> list[PassedFile]:
    """Return the files of the setting ``sources``, else those that deepagents-code passes."""
    if ctx.settings.sources:
        return [PassedFile(path) for path in ctx.settings.sources]
    defaults = [PassedFile(str(ctx.user_folder / agent / "AGENTS.md"))]
    if root:
        defaults.append(PassedFile(str(root / ".deepagents" / "AGENTS.md"), "project"))
        defaults.append(PassedFile(str(root / "AGENTS.md"), "root"))
    return defaults


def opened_source(
    ctx: Context, path: Path, scope: Scope, *, name: str = "", resolved: bool = False
) -> Source:
    """Return the memory file ``path`` as a source, with what the SDK's file backend does about it.

    The file is UNREADABLE if the agent exits or hangs when it opens the file, or if only Agent
    Memory does not read it (too large, hidden). ``name`` is the kind of its segments, '' for its
    scope. ``resolved``: the runtime follows symlinks first, so the file backend sees none.
    """
    content = ctx.store.read(path)
    status, reason = status_of(content)
    linked = not resolved and _is_link(path)
    source = Source(path, scope, Role.MEMORY, status, reason, str(path), name=name, linked=linked)
    if linked:
        reason = t("a symlink makes the agent exit with `invalid_path`")
        effect = t("the agent exits with `invalid_path`")
        return replace(source, status=Status.UNREADABLE, reason=reason, effect=effect)
    if content.failure is Failure.MISSING and _below_a_file(path):
        reason = t("a parent of this path is a file, not a folder")
        source = replace(source, status=Status.UNREADABLE, reason=reason)
        return with_effect(source, t("the agent exits with an error"))
    # The agent reads a file with the failure OUTSIDE: only Agent Memory does not.
    if content.failure and content.failure not in (Failure.MISSING, Failure.OUTSIDE):
        return with_effect(source, _effect(content.failure))
    return source


def _effect(failure: Failure) -> str:
    """Return what the agent does with a file that Agent Memory cannot read (``failure``)."""
    if failure is Failure.SPECIAL:
        return t("the agent hangs")
    if failure is Failure.TOO_LARGE:
        return t("the agent reads the whole file")
    return t("the agent exits with an error")


def _below_a_file(path: Path) -> bool:
    """Whether a parent of ``path`` is a file, so that ``path`` cannot exist."""
    try:
        path.lstat()
    except NotADirectoryError:  # `README.md/AGENTS.md`
        return True
    except (OSError, ValueError):  # ValueError: a NUL in the name
        return False
    return False


def memory(ctx: Context, sources: Sequence[Source], rule: ComposeRule) -> list[Segment]:
    """Return the segments of the loaded memory in ``sources``, composed by ``rule``, in order.

    If no memory is loaded, return one segment that says so.
    """
    sections: list[Segment] = []
    for source in sources:
        if source.status is not Status.LOADED or source.role is not Role.MEMORY:
            continue
        text = ctx.store.read(source.path).text
        kind = source.name or str(source.scope)  # the name of memory is a kind, such as `root`
        pieces = [Segment(text, kind, source.path)]
        if rule.strips_comments:
            pieces = without_comments(pieces[0])
        if rule.strips_end:
            pieces = right_stripped(pieces)
        if not pieces and rule.strips_comments:
            continue  # versions that keep comments write the path of a file without text too
        between = "\n\n" if sections else ""
        head = f"{source.display}{rule.separator}" if rule.names_files else ""
        sections += [Segment(between + head), *pieces]
    return sections or [Segment(wording.NOTHING_LOADED)]


def skills_block(
    ctx: Context,
    root: Path | None,
    package: Installed | None,
    folders: Sequence[SkillFolder],
    skills: Sequence[Skill],
) -> tuple[Template, list[Segment]]:
    """Return (the template of the SDK's skills block, the segments of the block).

    The block warns of skill folders that are missing, below a heading. The heading is that of
    ``package``. It is our own if the template is our own, or if ``package`` defines no heading.
    """
    template = load(ctx, root, package, _SKILLS)
    heading: Sequence[str] = wording.SKILL_WARNINGS
    if package and template.exactness is not Exactness.OWN_WORDING:
        installed_heading = lines_in(
            package.folder / _SKILLS_MODULE, "_format_skills_load_warnings", "lines"
        )
        heading = installed_heading or heading
    return template, fill(template.text, sdk_fields(folders, skills, heading))


def joined(
    block: list[Segment], base: str | list[Segment], *, before: bool = False
) -> list[Segment]:
    """Return ``block`` after ``base``, or ``before`` it, with a blank line between the two.

    ``base`` is a base prompt or the blocks so far. If it or ``block`` is empty, return the other.
    """
    others: list[Segment] = []
    if isinstance(base, list):
        others = base
    elif base:
        others = [Segment(base, "base")]
    if not others or not block:
        return [*others, *block]
    blank = Segment("\n\n")
    return [*block, blank, *others] if before else [*others, blank, *block]


def skills_first(version: str) -> bool:
    """Whether the SDK puts skills before memory, as it does since 0.5.

    A ``version`` that is not a plain release counts as a newer one.
    """
    return not release(version) or release(version) >= (0, 5)


def resolved_source(ctx: Context, source: Source, root: Path) -> Source:
    """Return ``source`` as deepagents-code finds it below ``root``.

    The runtime resolves symlinks first. It skips a path that leaves the project, does not exist or
    loops. The prompt names the resolved path.
    """
    try:
        target = source.path.resolve(strict=True)
    except FileNotFoundError:
        if ctx.store.is_open(source.path):
            return source  # an unsaved new file
        why = t("the target of the symlink is missing") if _is_link(source.path) else source.reason
        return replace(source, status=Status.MISSING, reason=why)
    except (OSError, RuntimeError):  # a loop of symlinks, or a folder that may not be searched
        why = t("the path cannot be resolved, so the agent skips it and logs a line")
        return replace(source, status=Status.IGNORED, reason=why)
    if not target.is_relative_to(root.resolve()):
        why = t("the symlink leaves the project, so the agent skips it")
        return replace(source, status=Status.IGNORED, reason=why, linked=True)
    return replace(source, display=str(target))


def _is_link(path: Path) -> bool:
    """Whether ``path`` itself is a symlink, broken or not."""
    return os.path.islink(path)  # noqa: PTH114 -- Path.is_symlink may raise
