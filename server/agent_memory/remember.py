"""Remember: from a snippet to the one edit that files it. Planning reads; only apply writes.

Every face calls :func:`plan`: the editor turns its edits into one undoable WorkspaceEdit, the
command line hands the plan to :func:`apply`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from agent_memory import placing, secrets
from agent_memory.already import find_said
from agent_memory.choice import choose
from agent_memory.context import UsageError
from agent_memory.files import Failure
from agent_memory.markdown import scan
from agent_memory.model import Edit, Scope, Status
from agent_memory.sections import Section, named, sections_of, suggest
from agent_memory.snippets import Item, Snippet, origin_of, tidy
from agent_memory.text import apply_edits, newline_of, whole
from agent_memory.writing import update, update_and_settle

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from agent_memory.choice import Choice
    from agent_memory.context import Context
    from agent_memory.files import FileText
    from agent_memory.secrets.model import Secret

_TITLES = {Scope.USER: "User memory", Scope.PROJECT: "Project memory"}


class Outcome(StrEnum):
    """What can be done with a snippet."""

    READY = "ready"
    DUPLICATE = "duplicate"
    SECRET = "secret"  # noqa: S105 -- the name of an outcome
    CONSENT = "consent"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Plan:
    """What remembering a snippet would do. Nothing is written yet.

    ``message`` is one plain sentence. ``path`` and ``line`` (from 0) say where the item goes,
    or for a duplicate where it stands; ``section`` is the heading, '' for none. ``sections``
    are (title, suggested) of the target. ``edits`` or ``creates`` (path, text) are given where
    ``outcome`` is ready. ``item`` is the tidy text; it is empty where it holds a secret.
    ``before`` is the file it was planned for; ``write`` carries the plan out where that takes
    more than this one file.
    """

    outcome: Outcome
    message: str
    path: Path
    line: int = 0
    section: str = ""
    sections: tuple[tuple[str, bool], ...] = ()
    secrets: tuple[Secret, ...] = ()
    edits: tuple[Edit, ...] = ()
    creates: tuple[tuple[Path, str], ...] = ()
    item: str = ""
    tidy: Item = field(default_factory=Item)
    scope: Scope = Scope.PROJECT
    anyway: bool = False
    before: FileText | None = field(default=None, repr=False)
    write: Callable[[], None] | None = field(default=None, repr=False, compare=False)


def plan(  # noqa: PLR0913 -- the options of the one planner
    ctx: Context,
    snippet: Snippet,
    scope: Scope | str,
    *,
    section: str | None = None,
    redact: bool = False,
    anyway: bool = False,
    create: bool = False,
    runtime_id: str | None = None,
) -> Plan:
    """Plan to file ``snippet`` into the ``scope`` (user or project) of the chosen runtime.

    ``section`` is the heading to file it under (None: the suggested one; one that is not there
    is made). ``redact`` replaces secrets, ``anyway`` files what is already said, ``create`` is
    the consent to make the project's memory folder.

    Raises:
        UsageError: the runtime, agent or scope is not known, or has no memory file.

    """
    scope = known_scope(scope)
    ctx, choice = choose(ctx, runtime_id)
    target = memory_target(ctx, choice, scope)
    found = tuple(secrets.find(snippet.text))
    if found and not redact:
        kinds = ", ".join(dict.fromkeys(secret.title for secret in found))
        message = f"Not filed: the text holds a secret ({kinds}). It can be filed redacted"
        return Plan(Outcome.SECRET, message, target, secrets=found)
    if found:
        snippet = replace(snippet, text=secrets.redact_for_memory(snippet.text))
    item = tidy(snippet, origin_of(snippet, choice.runtime.root(ctx), ctx.home, scope))
    if not item.text:
        return Plan(Outcome.REFUSED, "There is nothing to file: the text is empty", target)
    if choice.runtime.id == "claude-mpm":
        from agent_memory.rememberlearning import plan_learning  # noqa: PLC0415 -- it builds on us

        made = plan_learning(ctx, item, section)
    else:
        made = into_file(ctx, target, item, section=section, anyway=anyway, scope=scope)
    made = replace(made, secrets=found, anyway=anyway)
    if made.outcome is Outcome.READY and not anyway:
        made = _said_elsewhere(ctx, choice, made)
    if made.outcome is Outcome.READY and not create:
        made = consent(ctx, made)
    if made.outcome in (Outcome.READY, Outcome.CONSENT):
        made = _outside(ctx, choice, made)
    if made.outcome is Outcome.READY and made.write is None:
        made = _limits(ctx, choice, made)
    return made


def memory_target(ctx: Context, choice: Choice, scope: Scope) -> Path:
    """Return the file that memory of ``scope`` is filed into.

    Raises:
        UsageError: this runtime has none, for example outside of a project.

    """
    path = choice.runtime.memory_path(ctx, scope)
    if path is None:
        raise UsageError(f"{choice.runtime.title} has no {scope} memory here")
    return path


def into_file(
    ctx: Context,
    path: Path,
    item: Item,
    *,
    section: str | None = None,
    anyway: bool = False,
    scope: Scope = Scope.PROJECT,
) -> Plan:
    """Plan to file ``item`` into ``path``, whatever else is known about it."""
    content = ctx.store.read(path)
    if not content.ok and content.failure is not Failure.MISSING:
        why = content.failure.value.replace("-", " ") if content.failure else ""
        return Plan(
            Outcome.REFUSED,
            f"Not filed: {path} cannot be read ({why}). Mend the file first",
            path,
        )
    sections, chosen, title = _sections(content, item, section)
    base = Plan(
        Outcome.READY,
        "",
        path,
        section=title,
        sections=sections,
        item=item.text,
        tidy=item,
        scope=scope,
        before=content,
    )
    said = None if anyway else find_said(content.lines, item)
    if said:
        what = "is already there" if said.exact else "is said almost the same"
        return replace(
            base,
            outcome=Outcome.DUPLICATE,
            message=f"This {what} in line {said.line + 1} of {path.name}",
            line=said.line,
            section=said.section,
        )
    try:
        return _placed(base, content, chosen)
    except placing.Unplaceable as error:
        message = f"Not filed: in {path.name}, {error}"
        return replace(base, outcome=Outcome.REFUSED, message=message)


def apply(plan: Plan) -> Plan:
    """Write a ready ``plan``; return it as it was carried out.

    If the file changed since it was planned, the item is placed again in what is there now; if
    another program has filed it meanwhile, it is not filed twice.

    Raises:
        UsageError: the plan is not ready, or the file cannot be written.

    """
    if plan.outcome is not Outcome.READY:
        raise UsageError(plan.message)
    if plan.write:
        plan.write()
        return plan
    done = plan

    def change(content: FileText) -> str:
        nonlocal done
        done = _replanned(plan, content)
        if done.outcome is not Outcome.READY:
            return content.text
        for _, text in done.creates:
            return text
        return edited(content, done.edits)

    write = update if plan.anyway else update_and_settle
    write(plan.path, change)
    if done.outcome is Outcome.REFUSED:
        raise UsageError(done.message)
    return plan if done.outcome is Outcome.DUPLICATE else done


def _replanned(plan: Plan, content: FileText) -> Plan:
    """Return ``plan`` for the file as it is now; a duplicate where the item stands in it."""
    if plan.before and (content.failure, content.text) == (plan.before.failure, plan.before.text):
        return plan
    said = None if plan.anyway else find_said(content.lines, plan.tidy, exact=True)
    if said:
        return replace(plan, outcome=Outcome.DUPLICATE, line=said.line)
    sections = sections_of(scan(content.lines)) if plan.section else []
    chosen = named(sections, plan.section) if plan.section else None
    try:
        return _placed(plan, content, chosen)
    except placing.Unplaceable as error:
        message = f"{plan.path}: not filed, because meanwhile {error}"
        return replace(plan, outcome=Outcome.REFUSED, message=message)


def edited(content: FileText, edits: Sequence[Edit]) -> str:
    """Return the text of ``content`` after ``edits``, which are all of that file."""
    return apply_edits(content.lines, [(edit.span, edit.text) for edit in edits])


def known_scope(scope: Scope | str) -> Scope:
    """Return ``scope`` as one of memory files.

    Raises:
        UsageError: it is none.

    """
    if scope in _TITLES:
        return Scope(scope)
    raise UsageError(f"{scope!r} is not a scope of memory files: use user or project")


def _sections(
    content: FileText, item: Item, wanted: str | None
) -> tuple[tuple[tuple[str, bool], ...], Section | None, str]:
    """Return (title, suggested) of each section, the chosen one if it is there, and its title."""
    sections = sections_of(scan(content.lines))
    best = suggest(sections, item.text, content.lines)
    shown = tuple((section.title, section is best) for section in sections)
    if wanted is None or not wanted.strip():
        return shown, best, best.title if best else ""
    title = " ".join(wanted.split()).lstrip("# ")
    chosen = named(sections, title)
    return shown, chosen, chosen.title if chosen else title


def _placed(base: Plan, content: FileText, chosen: Section | None) -> Plan:
    """Return ``base`` with the edit that files its item.

    Raises:
        Unplaceable: the place is inside code or a comment.

    """
    name, item = base.path.name, base.tidy
    if not content.text.strip("\ufeff \t\r\n"):
        newline = newline_of(content.lines)
        placed = placing.new_file(item, _TITLES[base.scope], base.section, newline)
        message = f"Filed in {name}, which is new"
        if content.failure is Failure.MISSING:
            creates = ((base.path, placed.text),)
            return replace(base, message=message, line=placed.line, creates=creates, edits=())
        bom = "\ufeff" if content.text.startswith("\ufeff") else ""
        edit = Edit(base.path, whole(content.lines), bom + placed.text)
        message = f"Filed in {name}, which was empty"
        return replace(base, message=message, line=placed.line, edits=(edit,), creates=())
    if base.section and chosen is None:
        placed = placing.place_heading(content.lines, item, base.section)
        message = f"Filed under the new heading '{base.section}' of {name}"
    else:
        placed = placing.place(content.lines, item, chosen)
        below = f"under '{base.section}' of {name}" if base.section else f"at the end of {name}"
        message = f"Filed {below}, line {placed.line + 1}"
    edit = Edit(base.path, placed.span, placed.text)
    return replace(base, message=message, line=placed.line, edits=(edit,), creates=())


def _said_elsewhere(ctx: Context, choice: Choice, made: Plan) -> Plan:
    """Return a duplicate if another file that the agent receives already says it."""
    for source in choice.runtime.sources(ctx):
        if source.status is not Status.LOADED or source.path == made.path:
            continue
        said = find_said(ctx.store.read(source.path).lines, made.tidy, exact=True)
        if said:
            return replace(
                made,
                outcome=Outcome.DUPLICATE,
                message=f"The agent already reads this in {source.scope} memory: "
                f"line {said.line + 1} of {source.path}",
                path=source.path,
                line=said.line,
                section=said.section,
                edits=(),
                creates=(),
            )
    return made


def consent(ctx: Context, made: Plan) -> Plan:
    """Return a request for consent if a folder of the project would have to be made."""
    folder = made.path.parent
    if folder.is_dir() or folder.is_relative_to(ctx.user_folder):
        return made
    return replace(
        made,
        outcome=Outcome.CONSENT,
        message=f"The project has no {folder.name} folder yet: may {folder} be made?",
        edits=(),
        creates=(),
    )


def _outside(ctx: Context, choice: Choice, made: Plan) -> Plan:
    """Say so if the runtime finds no project here, and so will not read the file yet."""
    runtime = choice.runtime
    if made.scope is not Scope.PROJECT or not runtime.project_files or runtime.root(ctx):
        return made
    until = f"{runtime.id} reads it only once {ctx.cwd.name} is a git repository"
    end = "" if made.message.endswith("?") else "."
    return replace(made, message=f"{made.message}{end} {until}")


def _limits(ctx: Context, choice: Choice, made: Plan) -> Plan:
    """Say so if the file gets too large; refuse where the runtime would cut the item off."""
    added = sum(len(edit.text.encode()) for edit in made.edits)
    added += sum(len(text.encode()) for _, text in made.creates)
    size = ctx.store.read(made.path).size + added
    hard = choice.runtime.max_file_bytes
    if hard and size > hard and not made.anyway:
        return replace(
            made,
            outcome=Outcome.REFUSED,
            message=f"Not filed: {made.path.name} would have {size:,} bytes and "
            f"{choice.runtime.title} cuts it off at {hard:,}. Shorten or split the file first",
            edits=(),
            creates=(),
        )
    limit = ctx.settings.file_bytes
    if limit and size > limit:
        note = f"; the file then has {size:,} bytes, over your limit of {limit:,}"
        return replace(made, message=made.message + note)
    return made
