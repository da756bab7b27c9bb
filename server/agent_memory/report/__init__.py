"""Reports of a check: one module per format, imported on demand."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agent_memory.base.model import Severity

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.lint.engine import Report

FORMATS: dict[str, str] = {
    "text": "text",
    "json": "as_json",
    "jsonl": "as_jsonl",
    "sarif": "sarif",
    "github": "github",
    "junit": "junit",
    "gitlab": "gitlab",
    "markdown": "as_markdown",
}
"""The module in this package by the name of the format."""


@dataclass(frozen=True, slots=True)
class RenderContext:
    """How to render a report.

    ``ctx`` is the context of the check. Paths are relative to ``root``, source lines have at most
    ``width`` columns, and findings of at least the severity ``fail_on`` make the check fail (None:
    none does). ``quiet``: no summary. ``since`` is the revision if only files that have changed
    since then are checked, else ''.
    """

    ctx: Context
    root: Path
    color: bool = False
    width: int = 120
    fail_on: Severity | None = Severity.WARNING
    quiet: bool = False
    since: str = ""
    allowed_by_file: Mapping[Path, Collection[str]] = field(default_factory=dict)
    """The SHA-256 hashes of the secrets that the project of a file allows."""

    def allowed(self, path: Path) -> Collection[str]:
        """Return the hashes of the secrets that may be shown in a line of ``path``."""
        return self.allowed_by_file.get(path, self.ctx.settings.allowed_secrets)

    def shown(self, path: Path) -> str:
        """Return ``path`` for display: relative to the root and with '/', unless it is outside."""
        return path.relative_to(self.root).as_posix() if self.inside(path) else str(path)

    def inside(self, path: Path) -> bool:
        """Whether ``path`` is the root or below it."""
        return path.is_relative_to(self.root)

    def failing(self, severity: Severity) -> bool:
        """Whether a finding of ``severity`` makes the check fail."""
        return self.fail_on is not None and severity.rank >= self.fail_on.rank


def render(form: str, report: Report, view: RenderContext) -> Iterator[str]:
    """Yield ``report`` in the format ``form``, in pieces of whole lines."""
    module = importlib.import_module(f"agent_memory.report.{FORMATS[form]}")
    pieces: Iterator[str] = module.render(report, view)
    return pieces
