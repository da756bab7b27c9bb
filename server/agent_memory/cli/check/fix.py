"""``check --fix`` and ``--diff``: write the fixed files, or show the changes."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.base.text import split_lines
from agent_memory.cli import options
from agent_memory.config.write_roots import with_project_of
from agent_memory.fs.durable import has_other_names
from agent_memory.report import visible
from agent_memory.runtimes.selection import choose
from agent_memory.runtimes.write_scope import write_scope
from agent_memory.secrets import mask

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agent_memory.config.context import Context
    from agent_memory.fs.reader import FileText
    from agent_memory.fs.write_roots import WriteRoots
    from agent_memory.lint.fixes import Fixed


def show(ctx: Context, fixed: Sequence[Fixed]) -> None:
    """Print the changes of ``fixed``, which are the files before and after all fixes, as a diff.

    Secrets that ``ctx`` does not allow are masked.
    """
    for file in fixed:
        for line in _diff(file, ctx.settings.allowed_secrets):
            print(line)


def write(
    ctx: Context, fixed: Sequence[Fixed], runtime_id: str | None = None, *, named: bool = False
) -> None:
    """Write and rename the files; report each on standard error.

    A file that fails, such as one that another program changed meanwhile, does not stop the
    others. ``named``: the user passed the files as paths, so they may be outside of the folders
    that ``ctx`` allows.

    Raises:
        UsageError: files could not be written; the message names each.

    """
    failed: list[str] = []
    _, choice = choose(ctx, runtime_id)
    roots = write_scope(ctx, choice.runtime)
    for file in fixed:
        has_hard_links = has_other_names(file.path)  # before the file is replaced
        try:
            _write(file, with_project_of(roots, file.path) if named else roots)
        except UsageError as error:
            failed.append(str(error))
        else:
            count = "1 fix" if file.applied == 1 else f"{file.applied} fixes"
            renamed = f", renamed to {file.rename.name}" if file.rename else ""
            hint = "; other hard links keep the old text" if has_hard_links else ""
            options.complain(f"{file.path}: {count}{renamed}{hint}")
    if failed:
        raise UsageError("\n".join(failed))


def _write(file: Fixed, roots: WriteRoots) -> None:
    """Write and rename one file.

    Raises:
        UsageError: another program changed it, or it cannot be written or renamed.

    """
    from agent_memory.fs.atomic_write import update  # noqa: PLC0415 -- only for writing
    from agent_memory.fs.rename import rename  # noqa: PLC0415 -- as above

    def change(content: FileText) -> str:
        """Return the fixed text; ``content`` is the file as it is now.

        Raises:
            UsageError: another program changed the file.

        """
        # The file has the fixed text already if an earlier run failed before the rename.
        if content.text not in (file.before, file.after):
            raise UsageError(f"{file.path}: another program changed it; run this again")
        return file.after

    if file.after != file.before:
        update(file.path, change, roots)
    if file.rename:
        rename(file.path, file.rename, roots)


def _diff(file: Fixed, allowed: Sequence[str]) -> Iterator[str]:
    """Yield the lines of the diff of one file, without newlines; for a rename alone, one line.

    Secrets are masked except those with a SHA-256 hash in ``allowed``.
    """
    old, new = (split_lines(mask(text, allowed)) for text in (file.before, file.after))
    for line in difflib.unified_diff(old, new, str(file.path), str(file.rename or file.path)):
        yield visible.text(line.rstrip("\r\n"))
    if file.before == file.after:
        yield f"rename {file.path} to {file.rename}"
