"""Which files Mistral Vibe reads: its own trust in a folder decides how far up it looks."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.model import Scope, Source, Status
from agent_memory.base.text import BOM
from agent_memory.formats.limits import FormatError
from agent_memory.formats.toml_parser import parse_toml
from agent_memory.fs.reader import Failure
from agent_memory.l10n import t
from agent_memory.runtimes.agents.agent import memory_source, missing, sent_source
from agent_memory.runtimes.agents.javascript import decoded

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.fs.reader import FileText

NAME = "AGENTS.md"


class Trust(NamedTuple):
    """The folders that the user trusts, and those that he does not."""

    trusted: frozenset[str] = frozenset()
    untrusted: frozenset[str] = frozenset()


def find(ctx: Context, root: Path | None) -> list[Source]:
    """Return the user's file, those from the trusted folder down, then those above it."""
    cwd = ctx.cwd.resolve()
    own = _home(ctx)
    found = [_source(ctx, own / NAME, Scope.USER)]
    parents = [cwd, *cwd.parents]
    # The home is not a project: its .vibe has the user's files.
    trusted = _trusted(ctx, parents) if cwd / ".vibe" != own else None
    for folder in reversed(parents[: parents.index(trusted) + 1] if trusted else []):
        source = _source(ctx, folder / NAME, Scope.PROJECT)
        if source.status is not Status.MISSING:
            found.append(source)
    known = {source.path for source in found}
    why = (
        t("Mistral Vibe only reads it if you trust this folder as a whole")
        if trusted
        else t("Mistral Vibe does not read files of a folder that you do not trust")
    )
    for folder in parents[: parents.index(root) + 1] if root in parents else [cwd]:
        path = folder / NAME
        if path not in known and ctx.store.read(path).failure is not Failure.MISSING:
            found.append(memory_source(path, Scope.PROJECT, Status.IGNORED, why))
    if len(found) == 1:  # only that of the user
        found.append(missing(cwd / NAME))
    return found


def _home(ctx: Context) -> Path:
    given = ctx.env.get("VIBE_HOME")
    return ctx.cwd / given if given else ctx.home / ".vibe"


def _trusted(ctx: Context, parents: list[Path]) -> Path | None:
    """Return the nearest folder with a decision if it is trusted, else None.

    Without any decision Mistral Vibe asks; the preview shows what is sent after a yes.
    """
    content = ctx.store.read(_home(ctx) / "trusted_folders.toml")
    trust = content.once(_parse, content.text)
    for folder in parents:
        if str(folder) in trust.trusted:
            return folder
        if str(folder) in trust.untrusted:
            return None
    return parents[0]


def _parse(raw: str) -> Trust:
    """Return the folders in the text ``raw`` of trusted_folders.toml, none if it is invalid."""
    try:
        values = parse_toml(raw)
    except (FormatError, RecursionError):
        return Trust()
    lists = (values.get(key, []) for key in ("trusted", "untrusted"))
    return Trust(
        *(frozenset(filter(_is_text, item if isinstance(item, list) else [])) for item in lists)
    )


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _source(ctx: Context, path: Path, scope: Scope) -> Source:
    content = ctx.store.read(path)
    return sent_source(content, scope, text(content).strip())


def text(content: FileText) -> str:
    """Return the text of a file with newlines of one character."""
    return decoded(content).removeprefix(BOM).replace("\r\n", "\n").replace("\r", "\n")
