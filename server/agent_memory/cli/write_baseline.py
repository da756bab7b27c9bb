"""``check --write-baseline``: accept all findings of a check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.cli import options
from agent_memory.config.write_roots import with_named
from agent_memory.fs.atomic_write import update
from agent_memory.lint import baseline

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.fs.write_roots import WriteRoots
    from agent_memory.lint.engine import Report


def write_baseline(
    ctx: Context, paths: list[Path] | None, check: Callable[[], Report], roots: WriteRoots
) -> int:
    """Accept all findings of ``check`` on ``paths``; entries of other files stay.

    ``roots`` may be written to, and the project of ``paths``, which the user has named.

    Raises:
        UsageError: the folder of the baseline does not exist, or the file cannot be written.

    """
    known = baseline.load(baseline.root_of(ctx.cwd), ctx.store)
    if not known.path.parent.is_dir():
        raise UsageError(
            f"{known.path.parent} does not exist. Create this folder for the baseline, or accept "
            "findings in the settings"
        )
    report = check()
    keys = known.keys(report.findings, lambda path: ctx.store.read(path).lines)
    checked = {known.place(path) for path in report.files}
    unchecked = [
        (place, *key)
        for place, counts in known.accepted.items()
        if paths is not None and place not in checked
        for key in counts.elements()
    ]
    text = baseline.render([*unchecked, *keys])
    update(known.path, lambda _: text, with_named(roots, known.path))
    print(f"{known.path}: {options.counted(len(keys), 'finding')} accepted")
    outside = len(report.findings) - len(keys)
    if outside:
        findings = options.counted(outside, "finding")
        print(f"{findings} outside the project not accepted: {known.root}")
    return 0
