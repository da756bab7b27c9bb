"""``check --write-baseline``: accept all findings of a check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.cli import options
from agent_memory.cli.check.run_check import baseline_of, checked
from agent_memory.config.write_roots import with_project_of, write_roots
from agent_memory.fs.atomic_write import update
from agent_memory.lint import baseline

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from agent_memory.config.context import Context


def write_baseline(ctx: Context, args: argparse.Namespace, paths: list[Path] | None) -> None:
    """Accept all findings in ``paths`` of the project ``ctx``.

    ``paths`` None stands for the files that the listed runtimes read or ignore. The findings are
    written to the baseline, whose folder is created if it is missing. If ``paths`` is not None, the
    findings that were accepted in other existing files stay. Findings in files outside of the
    project, such as user memory, cannot be accepted.

    Raises:
        UsageError: the file cannot be written.

    """
    old = baseline_of(ctx, args)
    report = checked(ctx, args, paths, baseline.NOTHING)
    # One key (place, code, fingerprint) for each finding inside the project.
    keys = old.keys(report.findings, lambda path: ctx.store.read(path).lines)
    unchecked = []  # accepted findings that stay; none if all files of the runtime were checked
    if paths is not None:
        # Checked files, whose accepted findings are replaced, and files that do not exist.
        dropped = {old.place(path) for path in report.files} | old.missing
        unchecked = [
            (place, code, fingerprint)
            for place, counts in old.accepted.items()
            if place not in dropped
            for code, fingerprint in counts.elements()
        ]
    text = baseline.render([*unchecked, *keys])
    update(old.path, lambda _: text, with_project_of(write_roots(ctx), old.path))
    print(f"{old.path}: {options.counted(len(keys), 'finding')} accepted")
    count_outside = len(report.findings) - len(keys)
    if count_outside:
        findings = options.counted(count_outside, "finding")
        print(f"{findings} outside the project not accepted: {old.root}")
