"""Which files Claude Code loads for one memory file: the file and its imports, depth first."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Role, Scope, Source, Status
from agent_memory.l10n import t
from agent_memory.runtimes.agents.agent import import_role, read_status
from agent_memory.runtimes.agents.claude_text import ClaudeText, parse
from agent_memory.runtimes.agents.javascript import decoded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.config.context import Context
    from agent_memory.fs.reader import FileText

MAX_BYTES = 4 * 1024 * 1024
"""Claude Code skips a larger file."""
MAX_HOPS = 4
"""Imports in a row that are followed."""
USER, PROJECT, LOCAL, MEMORY = "user", "project", "local", "memory"
"""The kinds of a memory file; each has its label."""
IS_TEXT = lazy_compile(
    r".*?(?:/\.?[^./]+|\.(?:md|txt|text|json|ya?ml|toml|xml|csv|html?|css|s[ac]ss|less|[jt]sx?|[mc][jt]s"
    r"|py[iw]?|e?rb|rake|go|rs|java|kts?|scala|[ch]|[ch]pp|[ch]xx|cc|cs|swift|sh|bash|zsh|fish|ps1"
    r"|bat|cmd|env|ini|cfg|conf|config|properties|sql|graphql|gql|proto|vue|svelte|astro|ejs|hbs|pug"
    r"|jade|php|p[lm]|lua|r|dart|exs?|erl|hrl|clj[sc]?|edn|l?hs|elm|mli?|f|f9[05]|for|cmake|make"
    r"|makefile|gradle|sbt|rst|adoc|asciidoc|org|tex|latex|lock|log|diff|patch))",
    re.IGNORECASE | re.DOTALL,
)
"""Matches the path of a file that Claude Code reads: with a known suffix, or with none.

``/Makefile`` and ``/.gitignore`` have none.
"""


class Loaded(NamedTuple):
    """A file that is part of the block, or that is added later.

    ``kind`` is one of the kinds above, ``text`` what Claude Code makes of the file, and ``parent``
    the file that imports it, None without an import.
    """

    path: Path
    kind: str
    text: ClaudeText
    parent: Path | None


@dataclass
class Loader:
    """Loads files in order, each real file once, and adds a source for each of them.

    ``loaded`` are the files of the block so far, ``conditional`` the rules that are added later;
    ``sources`` has the source of each file by its path, the skipped ones included. ``cwd`` is the
    real path of the folder in which the session starts.
    """

    ctx: Context
    cwd: Path
    approved: bool  # imports from outside of the working folder are allowed
    loaded: list[Loaded] = field(default_factory=list)
    conditional: list[Loaded] = field(default_factory=list)
    sources: dict[Path, Source] = field(default_factory=dict)
    _seen: set[str] = field(default_factory=set)  # paths that were read, and their real paths

    def load(
        self, path: Path, kind: str, *, hops: int = 0, parent: Path | None = None
    ) -> list[Loaded]:
        """Return ``path`` and its imports, depth first, and add their sources.

        [] if ``path`` is not loaded: it was loaded before, is an import that Claude Code refuses,
        cannot be read, or has no text. ``hops`` is the number of imports that lead to ``path``,
        ``parent`` the file that imports it.
        """
        real = Path(os.path.realpath(path))
        if str(path) in self._seen:  # this path, or a link to it, has a source
            return []
        if parent:
            refusal = self._refusal(path, real, kind, hops)
            if refusal:
                action = self._remedy(path, real, parent, hops)
                self.add_source(path, kind, Status.IGNORED, refusal, parent, action=action)
                return []
        if real != path and str(real) in self._seen:
            self.add_source(
                path, kind, Status.SHADOWED, t("the same file was loaded before"), parent, by=real
            )
            return []
        self._seen |= {str(path), str(real)}
        content = self.ctx.store.read(path)
        text = parsed(content)
        if not self._add_read_source(path, kind, content, text, parent):
            return []
        loaded = [Loaded(path, kind, text, parent)]
        for target in self._targets(path, text):
            loaded += self.load(target, kind, hops=hops + 1, parent=path)
        return loaded

    def _refusal(self, path: Path, real: Path, kind: str, hops: int) -> str:
        """Return why the import ``path`` is not followed, '' if it is.

        ``real`` is the file that ``path`` leads to if it is a link, else ``path``.
        """
        if hops > MAX_HOPS:
            return t("Claude Code follows at most {0} imports in a row", MAX_HOPS)
        is_inside = path.is_relative_to(self.cwd) and real.is_relative_to(self.cwd)
        if is_inside or self.approved or kind == USER:  # the user's files may import any file
            return ""
        return t(
            "Claude Code skips an import outside of {0}, the folder it starts in, until you "
            "approve it",
            self.cwd,
        )

    def _remedy(self, path: Path, real: Path, parent: Path, hops: int) -> str:
        """Return what to do to get the import ``path`` of ``parent`` loaded, which is refused.

        ``real`` is the file that ``path`` leads to if it is a link, else ``path``.
        """
        if hops > MAX_HOPS:
            return t("Import it from a file that is imported earlier")
        if path.is_relative_to(self.cwd):
            return t(
                "Replace the link with a copy of {0}, or approve external imports when Claude Code "
                "asks",
                real,
            )
        folder = parent.parent
        if path.is_relative_to(folder) and real.is_relative_to(folder):
            # for a session that starts in `folder`, the import is not outside
            return t("Start Claude Code in {0}, or approve external imports when it asks", folder)
        return t("Move it into {0}, or approve external imports when Claude Code asks", self.cwd)

    def _targets(self, path: Path, text: ClaudeText) -> Iterator[Path]:
        """Yield the paths that ``text`` of the file ``path`` imports; they may be missing."""
        for name in text.imports:
            is_in_home = name.startswith("~/")
            target = self.ctx.home / name[2:] if is_in_home else path.parent / name
            yield Path(os.path.normpath(target))

    def _add_read_source(
        self, path: Path, kind: str, content: FileText, text: ClaudeText, parent: Path | None
    ) -> bool:
        """Add the source of ``path``, which was read; return whether it is loaded.

        If it is not, the source has the reason. ``text`` is what Claude Code makes of ``content``.
        """
        status, reason = read_status(content)
        if status is Status.LOADED and not IS_TEXT.fullmatch(str(path)):
            status, reason = Status.IGNORED, t("its suffix is not one of a text file")
        elif content.size > MAX_BYTES:
            reason = t("Claude Code skips a file over {0:,} bytes", MAX_BYTES)
            status = Status.UNREADABLE
        elif _imports_a_nul(text):
            reason = t("an import has a NUL in its name, so Claude Code skips the whole file")
            status = Status.IGNORED
        elif status is Status.LOADED and not text.body:
            status, reason = Status.EMPTY, t("nothing is left without front matter and comments")
        self.add_source(path, kind, status, reason, parent)
        return status is Status.LOADED

    def add_source(  # noqa: PLR0913 -- what a source has
        self,
        path: Path,
        kind: str,
        status: Status,
        reason: str,
        parent: Path | None = None,
        *,
        action: str = "",
        by: Path | None = None,
    ) -> None:
        """Add a source for ``path`` to ``sources``, unless it has one.

        ``parent`` is the file that imports ``path``, None if it is not imported; ``by`` is a file
        that is read instead of ``path``. The source names only one of them, ``parent`` first. A
        missing import is only added if it looks like a file: `@name` is often a person.
        """
        refusal = reason if parent and status is Status.IGNORED else ""
        if parent:
            looks_like_file = path.suffix and IS_TEXT.fullmatch(str(path))
            if status is Status.MISSING and not looks_like_file:
                return
            imported = t("imported by {0}", parent)
            reason = f"{imported}: {reason}" if reason else imported
        scope = Scope.USER if kind in (USER, MEMORY) else Scope.PROJECT
        role = import_role(path) if parent else Role.MEMORY
        source = Source(
            path,
            scope,
            role,
            status,
            reason,
            str(path),
            name=kind,
            by=parent or by,
            action=action,
            refusal=refusal,
        )
        self.sources.setdefault(path, source)


def _imports_a_nul(text: ClaudeText) -> bool:
    """Whether the path of an import contains a NUL, which Markdown parsers replace by U+FFFD."""
    return "\0" in text.body and any("\ufffd" in name for name in text.imports)


def parsed(content: FileText) -> ClaudeText:
    """Return what Claude Code makes of a file; the result is cached with ``content``."""
    return content.once(parse, decoded(content))
