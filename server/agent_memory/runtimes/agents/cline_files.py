"""Which rules Cline reads: later ones replace those of the same name, the rest is sorted."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Scope, Source, Status
from agent_memory.base.text import BOM
from agent_memory.entries.yaml_reader import YamlError, load_mapping
from agent_memory.fs.reader import Failure
from agent_memory.l10n import t
from agent_memory.runtimes.agents.agent import absent, memory_source, read_status
from agent_memory.runtimes.agents.javascript import SPACE, decoded, sort_key
from agent_memory.runtimes.segments import line_breaks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.config.context import Context
    from agent_memory.fs.reader import FileText

FOLDERS = (".clinerules", ".cline/rules")
SUFFIXES = (".md", ".markdown", ".txt")
_FRONT = lazy_compile(r"---\r?\n(.*?)\r?\n---\r?\n?", re.DOTALL)
"""Front matter: the lines between a first line `---` and one that begins with it."""


class ClineRule(NamedTuple):
    """What Cline makes of a file.

    ``line`` is the first line of ``body`` in the file, from 0; ``name`` is that of the front
    matter, '' without one; ``is_off``: it is switched off there; ``error`` is why the file is left
    out, '' if it is not.
    """

    body: str
    line: int = 0
    name: str = ""
    is_off: bool = False
    error: str = ""


def find(ctx: Context) -> list[Source]:
    """Return the rules that are sent, sorted by name, then those that are not sent.

    Of several rules of the same name, without regard to case, only the last one counts. For a scope
    without rules, its AGENTS.md is returned as missing.
    """
    by_name: dict[str, Source] = {}  # also rules that are switched off: they shadow earlier ones
    not_read: list[Source] = []
    for path, scope in _paths(ctx):
        content = ctx.store.read(path)
        if content.failure is Failure.MISSING:
            continue
        source = _source(content, scope, _default_name(ctx, path))
        if source.status not in (Status.LOADED, Status.IGNORED):  # blank or unreadable
            not_read.append(source)
            continue
        key = source.name.strip(SPACE).lower()
        if key in by_name:
            why = t("{0} has the same name and is read instead", path)
            not_read.append(replace(by_name[key], status=Status.SHADOWED, reason=why, by=path))
        by_name[key] = source
    to_create = {
        Scope.USER: ctx.home / ".agents" / "AGENTS.md",
        Scope.PROJECT: ctx.cwd.resolve() / "AGENTS.md",
    }
    not_read += absent([*by_name.values(), *not_read], to_create)
    sent = [source for source in by_name.values() if source.status is Status.LOADED]
    switched_off = [source for source in by_name.values() if source.status is not Status.LOADED]
    return [*sorted(sent, key=lambda source: sort_key(source.name)), *switched_off, *not_read]


def _paths(ctx: Context) -> Iterator[tuple[Path, Scope]]:
    """Yield (path, scope) of the rules in the order in which Cline reads them.

    The project's rules are first. The paths of AGENTS.md may be missing.
    """
    cwd = ctx.cwd.resolve()
    yield cwd / "AGENTS.md", Scope.PROJECT
    for name in FOLDERS:
        yield from ((path, Scope.PROJECT) for path in _in_folder(cwd / name))
    yield ctx.home / ".agents" / "AGENTS.md", Scope.USER
    configured = ctx.env.get("CLINE_DIR", "").strip()
    own_folder = Path(configured) if configured else ctx.home / ".cline"
    folders = (
        own_folder / "rules",
        ctx.home / "Cline" / "Rules",
        ctx.home / "Documents" / "Cline" / "Rules",
    )
    for folder in folders:
        yield from ((path, Scope.USER) for path in _in_folder(folder))


def _in_folder(folder: Path) -> list[Path]:
    """Return the rules in ``folder`` without its subfolders, sorted; links are left out.

    [folder] if it is itself a file, [] if it is missing or cannot be listed.
    """
    try:
        with os.scandir(folder) as entries:
            names = [
                entry.name
                for entry in entries
                if entry.name.lower().endswith(SUFFIXES) and entry.is_file(follow_symlinks=False)
            ]
    except NotADirectoryError:  # .clinerules may be one file
        return [folder]
    except OSError:
        return []
    return [folder / name for name in sorted(names)]


def _default_name(ctx: Context, path: Path) -> str:
    """Return the name of a rule whose front matter has none."""
    if path.name.lower() != "agents.md":
        return path.stem
    if path == ctx.cwd.resolve() / "AGENTS.md":
        return "Workspace AGENTS.md"
    if path.parent == ctx.home / ".agents":
        return "Global AGENTS.md"
    return "AGENTS"  # in a folder of rules


def _source(content: FileText, scope: Scope, default_name: str) -> Source:
    """Return the rule in ``content`` as a source; ``default_name`` is for one without a name."""
    status, reason = read_status(content)
    parsed = rule(content)
    if status in (Status.LOADED, Status.EMPTY) and parsed.error:
        is_blank = not parsed.body  # else its front matter is invalid
        status, reason = Status.EMPTY if is_blank else Status.UNREADABLE, parsed.error
    elif status is Status.LOADED and parsed.is_off:
        status, reason = Status.IGNORED, t("its front matter switches it off")
    name = parsed.name or default_name
    return replace(memory_source(content.path, scope, status, reason), name=name)


def rule(content: FileText) -> ClineRule:
    """Return what Cline makes of a file; the result is cached with ``content``."""
    return content.once(_parse, decoded(content))


def _parse(raw: str) -> ClineRule:
    """Return what Cline makes of ``raw``, the text of a file."""
    text = raw.removeprefix(BOM)
    front = _FRONT.match(text)
    if not front:
        return _unless_blank(ClineRule(text))
    try:
        values = load_mapping(front[1].replace("\r\n", "\n"))
    except YamlError:
        return ClineRule(text, error=t("Cline skips a file with invalid YAML front matter"))
    name, disabled, enabled = (values.get(key) for key in ("name", "disabled", "enabled"))
    if not isinstance(name, str | None):
        return ClineRule(text, error=t("Cline skips a file whose `name` is not a text"))
    body = text[front.end() :]
    # `enabled` only counts without `disabled`
    is_off = enabled is False if disabled is None else disabled is True
    line = line_breaks(text[: front.end()])
    return _unless_blank(ClineRule(body, line, (name or "").strip(SPACE), is_off))


def _unless_blank(parsed: ClineRule) -> ClineRule:
    """Return ``parsed``, or if its body is blank, a rule with only an error."""
    if parsed.body.strip(SPACE):
        return parsed
    return ClineRule("", error=t("the file is blank"))
