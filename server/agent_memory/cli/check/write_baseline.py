"""``check --write-baseline``: accept all findings of a check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.cli import options
from agent_memory.cli.check.run_check import baseline_of, checked
from agent_memory.config.write_roots import with_named, write_roots
from agent_memory.fs.atomic_write import update
from agent_memory.lint import baseline

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from agent_memory.config.context import Context


def write_baseline(ctx: Context, args: argparse.Namespace, paths: list[Path] | None) -> None:
    """Accept all findings in ``paths`` (None: the runtime's files) of the project ``ctx``.

    Entries of other files stay, except those of files that do not exist. The folder of the
    baseline is created if it is missing.

    Raises:
        UsageError: the file cannot be written.

    """
    known = baseline_of(ctx, args)
    report = checked(ctx, args, paths, baseline.NOTHING)
    keys = known.keys(report.findings, lambda path: ctx.store.read(path).lines)
    replaced = {known.place(path) for path in report.files} | known.missing
    unchecked = [  # none if all files of the runtime were checked
        (place, *key)
        for place, counts in known.accepted.items()
        if paths is not None and place not in replaced
        for key in counts.elements()
    ]
    text = baseline.render([*unchecked, *keys])
    update(known.path, lambda _: text, with_named(write_roots(ctx), known.path))
    print(f"{known.path}: {options.counted(len(keys), 'finding')} accepted")
    outside = len(report.findings) - len(keys)
    if outside:
        findings = options.counted(outside, "finding")
        print(f"{findings} outside the project not accepted: {known.root}")
