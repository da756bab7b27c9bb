"""Where the report of a ``check`` goes: standard output or a file."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.cli import options
from agent_memory.config.project_root import find_root, has_git
from agent_memory.report import render
from agent_memory.secrets import shown

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from agent_memory.config.context import Context
    from agent_memory.lint.engine import Report
    from agent_memory.report import RenderContext


def root_of_report(ctx: Context, form: str) -> Path:
    """Return the folder that paths of a report in the format ``form`` are relative to.

    The services that read ``github``, ``gitlab`` and ``sarif`` expect paths below the root of the
    repository.
    """
    if form not in ("github", "gitlab", "sarif"):
        return ctx.cwd
    return find_root(ctx.cwd, has_git) or ctx.cwd


def output(report: Report, view: RenderContext, args: argparse.Namespace) -> None:
    """Write the report, or its statistics, to the file of ``--output`` or to standard output.

    Then print to standard error how many findings of the baseline no longer occur, if there are any
    and without ``--quiet``.

    Raises:
        UsageError: the file of ``--output`` cannot be written.

    """
    pieces = _statistics(report) if args.statistics else render(args.format, report, view)
    if args.output:
        text = "".join(map(shown, pieces))  # standard output masks by itself: see cli.main
        _save(Path(args.output).expanduser(), text, view)
    else:
        for piece in pieces:
            sys.stdout.write(piece)
    if report.stale and not args.quiet:
        entries = options.counted(report.stale, "accepted finding")
        verb = "occurs" if report.stale == 1 else "occur"
        options.complain(f"{entries} in the baseline no longer {verb}; --write-baseline drops them")


def _save(path: Path, text: str, view: RenderContext) -> None:
    """Write ``text`` to the file ``path``; a relative path starts in the current folder.

    Parts of ``text`` that are not UTF-8, such as file names, become escapes as on standard output.
    """
    from agent_memory.config.write_roots import with_project_of, write_roots  # noqa: PLC0415 -- only to write
    from agent_memory.fs.atomic_write import update  # noqa: PLC0415 -- as above

    path = Path(path.absolute())
    escaped = text.encode("utf-8", "backslashreplace").decode("utf-8")
    update(path, lambda _: escaped, with_project_of(write_roots(view.ctx), path))


def _statistics(report: Report) -> Iterator[str]:
    """Yield a line for each rule with its number of findings, the most frequent first."""
    counts = Counter((finding.code, finding.name) for finding in report.findings)
    width = len(f"{max(counts.values(), default=0):,}")  # of the largest number, in characters
    for rule in sorted(counts, key=lambda rule: (-counts[rule], rule)):
        code, name = rule
        yield f"{counts[rule]:>{width},}  {code}  {name}\n"
