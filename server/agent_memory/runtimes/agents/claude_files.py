"""The order in which Claude Code finds its memory files.

User file and rules; then from the root of the file system down to the working folder CLAUDE.md,
.claude/CLAUDE.md, rules and CLAUDE.local.md; AGENTS.md if none of these has text; last the memory
that Claude Code writes itself.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.base.model import Status
from agent_memory.config.project_root import find_root, has_git
from agent_memory.formats.json_parser import parse_json
from agent_memory.fs.reader import read_file
from agent_memory.l10n import t
from agent_memory.runtimes.agents import claude_rules
from agent_memory.runtimes.agents.claude_imports import LOCAL, MEMORY, PROJECT, USER, Loaded, Loader

if TYPE_CHECKING:
    from agent_memory.config.context import Context
    from agent_memory.fs.reader import FileText

NAMES = ("CLAUDE.md", ".claude/CLAUDE.md")
"""Files of the project in a folder, in load order."""
LOCAL_NAME = "CLAUDE.local.md"
"""The user's private file in a folder of the project."""
AGENTS_NAMES = ("AGENTS.md", ".claude/AGENTS.md")
"""Files in a folder that are read without a file of ``_SWITCH_OFF``, in load order."""
RULES = ".claude/rules"
_SWITCH_OFF = ("CLAUDE.md", LOCAL_NAME)
"""Names of files that switch AGENTS.md off if they have text, in any folder."""
_OF_PROJECT = (PROJECT, LOCAL)
"""The kinds of the project's files."""


def config_folder(ctx: Context) -> Path:
    """Return the folder of the user's files: CLAUDE_CONFIG_DIR or ``~/.claude``."""
    given = ctx.env.get("CLAUDE_CONFIG_DIR")
    return ctx.cwd / given if given else ctx.home / ".claude"


def find(ctx: Context) -> Loader:
    """Return a loader that has loaded the files of the start of a session, in their order."""
    cwd = ctx.cwd.resolve()
    loader = Loader(ctx, cwd, _approved(ctx, cwd))
    user = config_folder(ctx)
    loader.loaded += loader.load(user / "CLAUDE.md", USER)
    loader.loaded += claude_rules.load(loader, user / "rules", USER)
    # from below the root of the file system down to `cwd`
    folders = [folder for folder in (cwd, *cwd.parents) if folder != Path(folder.anchor)][::-1]
    # Files in git are not read twice, in a worktree and in its main checkout; private files are.
    read_folders = _without_main_checkout(folders, cwd)
    for folder in folders:
        is_read = folder in read_folders
        for name in NAMES:
            _load(loader, folder / name, PROJECT, is_read=is_read)
        if is_read:
            loader.loaded += claude_rules.load(loader, folder / RULES, PROJECT)
        _load(loader, folder / LOCAL_NAME, LOCAL)
    _add_agents_md(loader, [folder / name for folder in read_folders for name in AGENTS_NAMES])
    _load(loader, own_memory(ctx), MEMORY)
    return loader


def own_memory(ctx: Context) -> Path:
    """Return the file in which Claude Code keeps its own memory of the project.

    For ``/home/me/my.app`` it is ``~/.claude/projects/-home-me-my-app/memory/MEMORY.md``.
    """
    slug = re.sub(r"[^a-zA-Z0-9]", "-", str(_repository(ctx.cwd.resolve())))
    return config_folder(ctx) / "projects" / slug / "memory" / "MEMORY.md"


def _load(loader: Loader, path: Path, kind: str, *, is_read: bool = True) -> None:
    """Load ``path`` if it exists.

    If not ``is_read``, Claude Code skips it: only add a source with the reason.
    """
    if not _exists(loader.ctx, path):
        return
    if is_read:
        loader.loaded += loader.load(path, kind)
    else:
        why = t(
            "in a worktree inside the main checkout, the files of the main checkout are skipped"
        )
        loader.add_source(path, kind, Status.IGNORED, why)


def _exists(ctx: Context, path: Path) -> bool:
    """Whether ``path`` exists, as a file or as an unsaved buffer.

    Most candidates do not exist, so this costs one system call.
    """
    return os.path.lexists(path) or ctx.store.is_open(path)


def _without_main_checkout(folders: list[Path], cwd: Path) -> list[Path]:
    """Return ``folders`` without those of a main checkout that contains the worktree of ``cwd``.

    A worktree in ``project/.worktrees/x`` has the same files as ``project``. ``folders`` are
    returned as they are unless ``cwd`` is in such a worktree.
    """
    worktree = find_root(cwd, has_git)
    main = _main_checkout(worktree) if worktree else None
    if worktree is None or main is None:
        return folders
    is_inside_main = main != worktree and worktree.is_relative_to(main)
    if not is_inside_main:
        return folders
    in_worktree = [folder for folder in folders if folder.is_relative_to(worktree)]
    above_main = [folder for folder in folders if not folder.is_relative_to(main)]
    return [*above_main, *in_worktree]


def _main_checkout(worktree: Path) -> Path | None:
    """Return the main checkout of a linked worktree, None if it is not a linked one."""
    # in a linked one `.git` is a file: "gitdir: /project/.git/worktrees/NAME"; a folder has no text
    pointer = read_file(worktree / ".git", cap=4096).text.strip()
    if not pointer.startswith("gitdir:"):
        return None
    git_folder = Path(os.path.normpath(worktree / pointer.removeprefix("gitdir:").strip()))
    if git_folder.parent.name != "worktrees":  # a submodule: "gitdir: ../.git/modules/NAME"
        return None
    return git_folder.parents[2]  # /project


def _repository(cwd: Path) -> Path:
    """Return the main checkout of the repository around ``cwd``, ``cwd`` outside of git."""
    root = find_root(cwd, has_git)
    if root is None:
        return cwd
    return _main_checkout(root) or root


def _add_agents_md(loader: Loader, paths: list[Path]) -> None:
    """Load the AGENTS.md files of ``paths`` that exist, unless a CLAUDE.md switches them off.

    Then they get sources that name this CLAUDE.md (:func:`_file_instead_of_agents_md`).
    """
    existing = [path for path in paths if _exists(loader.ctx, path)]
    claude_md = _file_instead_of_agents_md(loader)
    if claude_md:
        _add_shadowed(loader, existing, claude_md)
        return
    of_project = [file for file in loader.loaded if file.kind in _OF_PROJECT]
    # reversed, so of several files with one text the first one stays
    sent_by_text = {file.text.body: file.path for file in reversed(of_project)}
    for folder in dict.fromkeys(folder_of(path) for path in existing):
        of_folder = [path for path in existing if folder_of(path) == folder]
        _insert_agents_md(loader, folder, of_folder, sent_by_text)


def _insert_agents_md(
    loader: Loader, folder: Path, paths: list[Path], sent_by_text: dict[str, Path]
) -> None:
    """Insert ``paths``, the AGENTS.md files of ``folder``, with their imports into the order.

    A file with a text of ``sent_by_text`` becomes shadowed instead.
    """
    files = [file for path in paths for file in loader.load(path, PROJECT)]
    for file in files:
        if file.text.body in sent_by_text:
            _shadow_same_text(loader, file.path, sent_by_text[file.text.body])
    index = _index_for_agents_md(loader.loaded, folder)
    loader.loaded[index:index] = [file for file in files if file.text.body not in sent_by_text]


def _shadow_same_text(loader: Loader, path: Path, sent: Path) -> None:
    """Make the source of the loaded file ``path`` shadowed: ``sent`` has the same text.

    The source of an import still names the file that imports it.
    """
    source = loader.sources[path]
    why = t("{0} has the same text", sent)
    reason = f"{source.reason}: {why}" if source.reason else why
    by = source.by or sent
    loader.sources[path] = replace(source, status=Status.SHADOWED, reason=reason, by=by)


def _add_shadowed(loader: Loader, paths: list[Path], claude_md: Path) -> None:
    """Add a source for each AGENTS.md of ``paths``, which ``claude_md`` switches off."""
    for path in paths:
        why = t("Claude Code reads AGENTS.md only without a CLAUDE.md; {0} has text", claude_md)
        action = _import_action(path, claude_md, loader)
        loader.add_source(path, PROJECT, Status.SHADOWED, why, action=action, by=claude_md)


def _file_instead_of_agents_md(loader: Loader) -> Path | None:
    """Return the file that switches AGENTS.md off, None if AGENTS.md is read.

    It is the first loaded file of the project with a name of ``_SWITCH_OFF``, imports left out.
    """
    not_imported = [file for file in loader.loaded if file.kind in _OF_PROJECT and not file.parent]
    return next((file.path for file in not_imported if file.path.name in _SWITCH_OFF), None)


def _import_action(path: Path, claude_md: Path, loader: Loader) -> str:
    """Return what to do to get the AGENTS.md ``path`` read, which ``claude_md`` switches off.

    The action is an import. It is a link if Claude Code skips the import, because ``path`` is
    outside of the working folder and the user has not approved such imports.
    """
    if path.is_relative_to(loader.cwd) or loader.approved:
        line = f"@{os.path.relpath(path, claude_md.parent)}".replace(os.sep, "/")
        return t("Add the line `{0}` to {1}", line, claude_md)
    return t("Make {0} a link to it", path.with_name("CLAUDE.md"))


def folder_of(path: Path) -> Path:
    """Return the folder that ``path`` is memory of: the one with ``.claude``, else its parent.

    It is ``/app`` for ``/app/.claude/rules/a.md`` and for ``/app/CLAUDE.md``.
    """
    head, separator, _ = str(path).rpartition("/.claude/")
    return Path(head) if separator else path.parent


def _index_for_agents_md(loaded: list[Loaded], folder: Path) -> int:
    """Return the index in ``loaded`` at which the AGENTS.md of ``folder`` is inserted.

    It is before the files of folders below ``folder``, else after the last file of the project, or
    at the end if the project has no file.
    """
    after_project = 0
    importers: dict[Path, Path] = {}  # by path: the outermost file that imports it, else itself
    for index, file in enumerate(loaded):
        # The parent is not in `loaded` if its text was sent before: then use the path itself.
        importer = importers.get(file.parent, file.path) if file.parent else file.path
        importers[file.path] = importer
        if file.kind not in _OF_PROJECT:
            continue
        after_project = index + 1
        # An import belongs to the folder of its importer, wherever the imported file is.
        folder_of_file = folder_of(importer)
        if folder_of_file != folder and folder_of_file.is_relative_to(folder):
            return index
    return after_project or len(loaded)


def _approved(ctx: Context, cwd: Path) -> bool:
    """Whether the user has approved that the project of ``cwd`` imports files from outside."""
    return str(_repository(cwd)) in approvals(ctx)


def state_file(ctx: Context) -> Path:
    """Return the file in which Claude Code keeps what the user has approved."""
    given = ctx.env.get("CLAUDE_CONFIG_DIR")
    return (ctx.cwd / given if given else ctx.home) / ".claude.json"


def approvals(ctx: Context) -> frozenset[str]:
    """Return the folders of the projects that may import files from outside of them.

    The user approves this when Claude Code asks.
    """
    content = ctx.store.read(state_file(ctx))
    return content.once(_approvals, content)


def _approvals(content: FileText) -> frozenset[str]:
    """Return :func:`approvals` from the state file ``content``.

    The set is empty if the file is missing, is not JSON or has another structure.
    """
    try:
        projects = parse_json(content.text)["projects"]
        return frozenset(
            str(folder)
            for folder, values in projects.items()
            if values.get("hasClaudeMdExternalIncludesApproved") is True
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return frozenset()
