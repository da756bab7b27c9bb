"""``agent-memory learn export``, ``import`` and ``diff``: learnings as data."""

from __future__ import annotations

import sys
from itertools import groupby
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from agent_memory.base.errors import UsageError
from agent_memory.cli import options
from agent_memory.formats.json_parser import parse_json
from agent_memory.formats.limits import FormatError
from agent_memory.fs.git_revision import Revision
from agent_memory.fs.reader import Failure, read_file
from agent_memory.l10n import t
from agent_memory.learnings import export as learnshare
from agent_memory.learnings.sections import items_of
from agent_memory.runtimes.claude_mpm_names import agent_of, files_of, memory_names
from agent_memory.secrets import mask

if TYPE_CHECKING:
    import argparse

    from agent_memory.fs.git_revision import Blob
    from agent_memory.learnings.store import Learnings


def export(_args: argparse.Namespace, learnings: Learnings) -> int:
    """Print all items as JSON; return 2 if a file cannot be read, else 0.

    Secrets are not masked, since an export contains each item unchanged.
    """
    data, unreadable = learnshare.export(learnings)
    options.print_json(data, reveal=True)
    return _print_unreadable(unreadable)


def take_in(args: argparse.Namespace, learnings: Learnings) -> int:
    """Add the missing items of an export, and print how many; return 0, also if some are refused.

    Raises:
        UsageError: the export cannot be read or is not one, or memory is switched off.

    """
    added, refused = learnshare.merge(learnings, _load(args.file))
    if args.format == "json":
        options.print_json({"added": added, "refused": refused})
    else:
        print(f"{added} added, {len(refused)} skipped")
        for why in refused:
            print(f"  {why}", file=sys.stderr)
    return 0


def diff(args: argparse.Namespace, learnings: Learnings) -> int:
    """Show the changes since an export or the last commit; return 0, or 2 for an unreadable file.

    Raises:
        UsageError: the export cannot be read or is not one, or there is no commit.

    """
    old = learnshare.exported(_load(args.file)) if args.file else _committed(learnings)
    data, unreadable = learnshare.export(learnings)
    old_by_name = {learnings.name_of(agent): items for agent, items in old.items()}
    # Otherwise all items of an unreadable file would be shown as removed.
    readable = {agent: items for agent, items in old_by_name.items() if agent not in unreadable}
    differences = learnshare.differences(readable, data["agents"])
    rows = [(agent, section, sign, mask(item)) for agent, section, sign, item in differences]
    if args.format == "json":
        keys = ("agent", "section", "change", "item")
        options.print_json({"changes": [dict(zip(keys, row, strict=True)) for row in rows]})
        return _print_unreadable(unreadable)
    for (agent, section), changes in groupby(rows, key=lambda row: row[:2]):
        print(f"{agent}: {section}")
        for _, _, sign, item in changes:
            print(f"  {sign} {item}")
    return _print_unreadable(unreadable)


def _print_unreadable(unreadable: dict[str, str]) -> int:
    """Print why files were left out; return the exit code: 2 for any, else 0.

    ``unreadable`` has the reason by agent.
    """
    for agent, why in unreadable.items():
        print(f"❌ {agent}: {why}", file=sys.stderr)
    return 2 if unreadable else 0


def read_input(name: str) -> str:
    """Return the text of the file ``name``, or of standard input for ``-``.

    Bytes of a file that are not UTF-8 are replaced: the output of an agent can contain some.

    Raises:
        UsageError: it cannot be read, or standard input is not UTF-8.

    """
    if name == "-":
        return options.read_stdin()
    content = read_file(Path(name))
    if content.failure is Failure.UNDECODABLE:
        return content.raw.decode("utf-8", "replace")
    if content.failure:
        why = content.failure.words
        raise UsageError(t("{0} cannot be read: {1}. Use - for standard input", name, why))
    return content.text


def _load(name: str) -> Any:
    """Return the JSON in the file ``name`` (``-``: standard input).

    Raises:
        UsageError: it cannot be read, or is not valid JSON.

    """
    text = read_input(name)
    try:
        return parse_json(text)
    except FormatError as error:
        raise UsageError(f"{name} is not valid JSON: {error}") from error


def _committed(learnings: Learnings) -> dict[str, dict[str, list[str]]]:
    """Return {agent: {section: items}} of each agent's file at git's HEAD.

    Raises:
        UsageError: this is not a git repository with a commit.

    """
    try:
        head = Revision(learnings.root)
    except UsageError as why:
        raise UsageError(f"{why}; pass an export file") from why
    blobs = _memory_blobs(head, head.relative_path(learnings.folder))
    contents = head.contents(list(blobs.values()))
    return {
        agent: items_of(raw.decode("utf-8", "replace"))
        for agent, raw in zip(blobs, contents, strict=True)
    }


def _memory_blobs(head: Revision, folder: str | None) -> dict[str, Blob]:
    """Return {agent: the blob of its memory file} for the files in ``folder`` at ``head``.

    ``folder`` is relative to the root of the repository, None if it is outside: then {}.
    """
    paths = [PurePosixPath(path) for path in head.blobs]
    names = {path.name for path in paths if str(path.parent) == folder}
    agents = {agent_of(name.removesuffix(".md")) for name in memory_names(names)}
    blobs: dict[str, Blob] = {}
    for agent in sorted(agents):
        first_name = files_of(agent, names)[0]  # the file that is read if there are several
        blobs[agent] = head.blobs[f"{folder}/{first_name}"]
    return blobs
