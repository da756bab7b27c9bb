"""How the prompts of agents change between two revisions: tokens, bytes and list items."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.base.model import Status
from agent_memory.base.text import split_lines
from agent_memory.fs import git
from agent_memory.fs.git_revision import Revision
from agent_memory.l10n import t
from agent_memory.markdown.parser import scan
from agent_memory.prompt.at_revision import compose_at
from agent_memory.runtimes.classify import project_of, role_of
from agent_memory.runtimes.known_files import made_for
from agent_memory.runtimes.several import listed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.prompt.compose import Prompt

    Lines = Mapping[Path, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Change:
    """The prompts of one agent that starts in ``folder``.

    ``added`` and ``removed`` count the list items of memory files in the prompt. ``cut`` counts
    those of truncated files that are not in the prompt after the change.
    """

    folder: Path
    before: Prompt
    after: Prompt
    added: int
    removed: int
    cut: int


def change(folder: Path, before: Prompt, after: Prompt, lines: Lines) -> Change:
    """Return the change of the prompt of an agent in ``folder`` from ``before`` to ``after``.

    ``lines`` are those of the sources of ``after``.
    """
    old, new = _items_in_prompt(before), _items_in_prompt(after)
    truncated = [source for source in after.sources if source.status is Status.TRUNCATED]
    # The items of a truncated file that are not in the prompt.
    cut = sum((_items(lines[source.path]) - new).total() for source in truncated)
    return Change(
        folder,
        before,
        after,
        added=(new - old).total(),
        removed=(old - new).total(),
        cut=cut,
    )


def is_range(revisions: str) -> bool:
    """Whether ``revisions`` names two revisions: ``A...B`` or ``A..B``."""
    return ".." in revisions


def labels(revisions: str) -> tuple[str, str]:
    """Return the labels of the two prompts: A and B of ``A..B``, the merge base and B of ``A...B``.

    A missing A or B is HEAD.
    """
    first, dots, second = _parts(revisions)
    first_label = f"merge base of {first} and {second}" if dots == "..." else first
    return first_label, second


def changes(ctx: Context, revisions: str, runtime_id: str | None, base: str = "") -> list[Change]:
    """Return the changes of the prompts between two revisions: one per listed runtime and folder.

    The folders are that of ``ctx`` and those below it with changed memory files. As in git,
    ``A..B`` compares A with B, and ``A...B`` compares the merge base of both with B. A missing A or
    B is HEAD. ``base`` is a whole system prompt, '' for none.

    Raises:
        UsageError: a revision is unknown, there is no merge base, the runtime is unknown or the
            agent id is invalid.

    """
    first, second = _revisions(ctx.cwd, revisions)
    out = []
    for folder in _folders(ctx, first, second):
        in_folder = ctx.with_(cwd=folder)
        for runtime in listed(in_folder, runtime_id).runtimes:
            before, _ = compose_at(in_folder, first.commit, runtime.id, base)
            after, lines = compose_at(in_folder, second.commit, runtime.id, base)
            out.append(change(folder, before, after, lines))
    return out


def _revisions(folder: Path, revisions: str) -> tuple[Revision, Revision]:
    """Return the two revisions that ``A..B`` or ``A...B`` compares (see :func:`changes`).

    Raises:
        UsageError: a revision is unknown, or there is no merge base.

    """
    first_name, dots, second_name = _parts(revisions)
    first, second = Revision(folder, first_name), Revision(folder, second_name)
    if dots == "...":
        try:
            common = git.run(first.top, "merge-base", first.commit, second.commit)
        except UsageError as error:
            raise UsageError(
                t(
                    "{0} and {1} have no common commit. Fetch the whole history: a shallow clone "
                    "does not contain it",
                    first_name,
                    second_name,
                )
            ) from error
        first = Revision(folder, common.decode().strip())
    return first, second


def _parts(revisions: str) -> tuple[str, str, str]:
    """Return A, the dots and B of ``A..B`` or ``A...B``; a missing A or B is ``HEAD``."""
    dots = "..." if "..." in revisions else ".."
    first, second = revisions.split(dots, 1)
    return first or "HEAD", dots, second or "HEAD"


def _folders(ctx: Context, first: Revision, second: Revision) -> list[Path]:
    """Return the folder of ``ctx``, then the folders below it whose memory files differ."""
    output = git.run(
        *(first.top, "diff-tree", "-r", "-z", "--name-only", "--no-renames", "--no-ext-diff"),
        *(first.commit, second.commit),
    )
    cwd = ctx.cwd.resolve()
    names = os.fsdecode(output).removesuffix("\0").split("\0")  # relative to the top
    paths = [first.top / name for name in sorted(filter(None, names))]
    # `made_for` returns None only for a file that is not a memory file.
    memory = [path for path in paths if role_of(path) or made_for(path.as_posix()) is not None]
    folders = [_nearest_existing(project_of(path.parent)) for path in memory]
    below_cwd = [folder for folder in folders if folder.is_relative_to(cwd)]
    return list(dict.fromkeys([cwd, *below_cwd]))


def _nearest_existing(folder: Path) -> Path:
    """Return ``folder``, or its nearest existing parent if the change has removed the folder."""
    return next(candidate for candidate in (folder, *folder.parents) if candidate.is_dir())


def _items_in_prompt(prompt: Prompt) -> Counter[str]:
    """Return how often each list item of a file is in ``prompt`` (see :func:`_items`)."""
    texts = [part.text for part in prompt.segments if part.path is not None]
    return sum((_items(split_lines(text)) for text in texts), Counter())


def _items(lines: Sequence[str]) -> Counter[str]:
    """Return how often each list item is in ``lines``, by the text of its first line."""
    return Counter(item.text.strip() for item in scan(list(lines)).items)
