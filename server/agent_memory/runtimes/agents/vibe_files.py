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
    """The paths of the folders that the user trusts, and of those that the user does not trust."""

    trusted: frozenset[str] = frozenset()
    untrusted: frozenset[str] = frozenset()


def find(ctx: Context, root: Path | None) -> list[Source]:
    """Return the user's file, those from the trusted folder down to ``cwd``, then ignored ones.

    Ignored are the other existing files from ``cwd`` up to ``root``. If the project has no file,
    that of ``cwd`` is returned as missing.
    """
    cwd = ctx.cwd.resolve()
    user_path = _home(ctx) / NAME
    upwards = [cwd, *cwd.parents]
    # The user's home is not a project: its .vibe has the user's files. Trust is not checked there.
    is_project = cwd / ".vibe" != user_path.parent
    trusted = _trusted_folder(ctx, upwards) if is_project else None
    read_folders = upwards[: upwards.index(trusted) + 1] if trusted else []
    candidates = [_source(ctx, folder / NAME, Scope.PROJECT) for folder in reversed(read_folders)]
    read = [source for source in candidates if source.status is not Status.MISSING]
    if not is_project:
        why = t("Mistral Vibe reads only {0} if it starts in {1}", user_path, cwd)
    elif trusted:
        why = t("Mistral Vibe only reads it if you trust this folder as a whole")
    else:
        why = t("Mistral Vibe does not read files of a folder that you do not trust")
    project_folders = upwards[: upwards.index(root) + 1] if root in upwards else [cwd]
    has_source = {user_path, *(source.path for source in read)}
    others = [folder / NAME for folder in project_folders if folder / NAME not in has_source]
    of_project = [*read, *_ignored(ctx, others, why)] or [missing(cwd / NAME)]
    return [_source(ctx, user_path, Scope.USER), *of_project]


def _ignored(ctx: Context, paths: list[Path], why: str) -> list[Source]:
    """Return the existing files of ``paths`` as ignored; ``why`` is the reason."""
    return [
        memory_source(path, Scope.PROJECT, Status.IGNORED, why)
        for path in paths
        if ctx.store.read(path).failure is not Failure.MISSING
    ]


def _home(ctx: Context) -> Path:
    """Return the folder of the user's files: VIBE_HOME or ``~/.vibe``."""
    configured = ctx.env.get("VIBE_HOME")
    return ctx.cwd / configured if configured else ctx.home / ".vibe"


def _trusted_folder(ctx: Context, upwards: list[Path]) -> Path | None:
    """Return the nearest folder that the user trusts, None if a nearer one is not trusted.

    ``upwards`` are the working folder and those above it. If the user has decided about none of
    them, Mistral Vibe asks. Then the working folder is returned, because the preview shows what is
    sent after a yes.
    """
    content = ctx.store.read(_home(ctx) / "trusted_folders.toml")
    trust = content.once(_parse, content.text)
    for folder in upwards:
        if str(folder) in trust.trusted:
            return folder
        if str(folder) in trust.untrusted:
            return None
    return upwards[0]


def _parse(raw: str) -> Trust:
    """Return the folders in ``raw``, the text of trusted_folders.toml; none if it is invalid."""
    try:
        values = parse_toml(raw)
    except (FormatError, RecursionError):
        return Trust()
    return Trust(_texts(values.get("trusted")), _texts(values.get("untrusted")))


def _texts(values: object) -> frozenset[str]:
    """Return the strings in the list ``values``; none if it is not a list."""
    if not isinstance(values, list):
        return frozenset()
    return frozenset(value for value in values if isinstance(value, str))


def _source(ctx: Context, path: Path, scope: Scope) -> Source:
    """Return the file ``path`` as a source; Mistral Vibe leaves out a blank file."""
    content = ctx.store.read(path)
    return sent_source(content, scope, text(content).strip())


def text(content: FileText) -> str:
    """Return the text of a file without byte order mark; each newline is a line feed."""
    return decoded(content).removeprefix(BOM).replace("\r\n", "\n").replace("\r", "\n")
