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
    """Return a loader that has loaded all files of the start of a session, in their order."""
    cwd = ctx.cwd.resolve()
    loader = Loader(ctx, cwd, _approved(ctx, cwd))
    user = config_folder(ctx)
    loader.loaded += loader.load(user / "CLAUDE.md", USER)
    loader.loaded += claude_rules.load(loader, user / "rules", USER)
    # from below the root of the file system down to `cwd`
    chain = [folder for folder in (cwd, *cwd.parents) if folder != Path(folder.anchor)][::-1]
    shared_folders = _without_main_checkout(chain, cwd)  # private files are read in all of `chain`
    for folder in chain:
        is_shared = folder in shared_folders
        for name in NAMES:
            _load(loader, folder / name, PROJECT, is_read=is_shared)
        if is_shared:
            loader.loaded += claude_rules.load(loader, folder / RULES, PROJECT)
        _load(loader, folder / LOCAL_NAME, LOCAL)
    _add_agents(loader, [folder / name for folder in shared_folders for name in AGENTS_NAMES])
    _load(loader, own_memory(ctx), MEMORY)
    return loader


def own_memory(ctx: Context) -> Path:
    """Return the file in which Claude Code keeps its own memory of the project.

    For ``/home/me/my.app`` it is ``~/.claude/projects/-home-me-my-app/memory/MEMORY.md``.
    """
    slug = re.sub(r"[^a-zA-Z0-9]", "-", str(_repository(ctx.cwd.resolve())))
    return config_folder(ctx) / "projects" / slug / "memory" / "MEMORY.md"


def _load(loader: Loader, path: Path, kind: str, *, is_read: bool = True) -> None:
    """Load ``path`` if it exists; with ``is_read`` False only add a source with the reason."""
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


def _without_main_checkout(chain: list[Path], cwd: Path) -> list[Path]:
    """Return ``chain`` without the folders of the main checkout around a worktree inside it.

    A worktree in ``project/.worktrees/x`` has the same files as ``project``. ``chain`` is returned
    as it is unless ``cwd`` is in such a worktree.
    """
    worktree = find_root(cwd, has_git)
    main = _main_checkout(worktree) if worktree else None
    if worktree is None or main is None:
        return chain
    is_inside_main = main != worktree and worktree.is_relative_to(main)
    if not is_inside_main:
        return chain
    in_worktree = [folder for folder in chain if folder.is_relative_to(worktree)]
    above_main = [folder for folder in chain if not folder.is_relative_to(main)]
    return [*above_main, *in_worktree]


def _main_checkout(worktree: Path) -> Path | None:
    """Return the main checkout of a linked worktree, None if it is not linked."""
    # a file such as "gitdir: /project/.git/worktrees/NAME"; a folder has no text
    pointer = read_file(worktree / ".git", cap=4096).text.strip()
    git_folder = Path(os.path.normpath(worktree / pointer.removeprefix("gitdir:").strip()))
    # a submodule has "gitdir: ../.git/modules/NAME"
    if not pointer.startswith("gitdir:") or git_folder.parent.name != "worktrees":
        return None
    return git_folder.parent.parent.parent


def _repository(cwd: Path) -> Path:
    """Return the main checkout of the repository around ``cwd``, ``cwd`` without git."""
    root = find_root(cwd, has_git)
    if root is None:
        return cwd
    return _main_checkout(root) or root


def _add_agents(loader: Loader, paths: list[Path]) -> None:
    """Load each existing AGENTS.md of ``paths``, unless a file switches them off.

    Each is inserted with its imports into ``loader.loaded``, at the place of its folder. A file
    with the same text as a loaded one of the project becomes shadowed instead, and so do all of
    ``paths`` if a file switches them off (:func:`_winner`).
    """
    existing = [path for path in paths if _exists(loader.ctx, path)]
    winner = _winner(loader)
    if winner:
        _add_shadowed(loader, existing, winner)
        return
    # by text; reversed, so of several files with one text the first one stays
    sent = {file.text.body: file.path for file in loader.loaded[::-1] if file.kind in _OF_PROJECT}
    for folder in dict.fromkeys(folder_of(path) for path in existing):
        of_folder = [path for path in existing if folder_of(path) == folder]
        loaded = [file for path in of_folder for file in loader.load(path, PROJECT)]
        for file in loaded:
            if file.text.body in sent:
                _shadow_same_text(loader, file.path, sent[file.text.body])
        new = [file for file in loaded if file.text.body not in sent]
        index = _place(loader.loaded, folder)
        loader.loaded[index:index] = new


def _shadow_same_text(loader: Loader, path: Path, sent: Path) -> None:
    """Make the source of the loaded file ``path`` shadowed: ``sent`` has the same text.

    For an import, the file that imports it is still named.
    """
    source = loader.sources[path]
    why = t("{0} has the same text", sent)
    reason = f"{source.reason}: {why}" if source.reason else why
    by = source.by or sent
    loader.sources[path] = replace(source, status=Status.SHADOWED, reason=reason, by=by)


def _add_shadowed(loader: Loader, paths: list[Path], winner: Path) -> None:
    """List each AGENTS.md in ``paths`` as switched off by ``winner``."""
    for path in paths:
        why = t("Claude Code reads AGENTS.md only without a CLAUDE.md; {0} has text", winner)
        action = _import_action(path, winner, loader)
        loader.add_source(path, PROJECT, Status.SHADOWED, why, action=action, by=winner)


def _winner(loader: Loader) -> Path | None:
    """Return the file that switches AGENTS.md off, None if AGENTS.md is read.

    It is the first loaded file of the project with a name of ``_SWITCH_OFF``, imports left out.
    """
    not_imported = [file for file in loader.loaded if file.kind in _OF_PROJECT and not file.parent]
    return next((file.path for file in not_imported if file.path.name in _SWITCH_OFF), None)


def _import_action(path: Path, winner: Path, loader: Loader) -> str:
    """Return how to get the AGENTS.md ``path`` read although ``winner`` switches it off.

    An import from outside of the working folder must be approved; a link need not.
    """
    if path.is_relative_to(loader.cwd) or loader.approved:
        line = f"@{os.path.relpath(path, winner.parent)}".replace(os.sep, "/")
        return t("Add the line `{0}` to {1}", line, winner)
    return t("Make {0} a link to it", path.with_name("CLAUDE.md"))


def folder_of(path: Path) -> Path:
    """Return the folder that a file is about: the one that holds ``.claude``, else its own."""
    head, separator, _ = str(path).rpartition("/.claude/")
    return Path(head) if separator else path.parent


def _place(loaded: list[Loaded], folder: Path) -> int:
    """Return the index in ``loaded`` for the AGENTS.md of ``folder``.

    That is before the files of folders below it, else after the last file of the project, or at the
    end if the project has no file.
    """
    after_project = 0
    importer: dict[Path, Path] = {}  # by path: the first file in its chain of imports, else itself
    for index, file in enumerate(loaded):
        # A parent that was not sent again is not in `loaded`: then the file stands for itself.
        importer[file.path] = importer.get(file.parent, file.path) if file.parent else file.path
        if file.kind not in _OF_PROJECT:
            continue
        after_project = index + 1
        # An import belongs to the folder of the file that imports it, wherever it is.
        folder_of_file = folder_of(importer[file.path])
        if folder_of_file != folder and folder_of_file.is_relative_to(folder):
            return index
    return after_project or len(loaded)


def _approved(ctx: Context, cwd: Path) -> bool:
    """Whether the user has approved imports outside of this project."""
    return str(_repository(cwd)) in approvals(ctx)


def state_file(ctx: Context) -> Path:
    """Return the file in which Claude Code keeps what the user has approved."""
    given = ctx.env.get("CLAUDE_CONFIG_DIR")
    return (ctx.cwd / given if given else ctx.home) / ".claude.json"


def approvals(ctx: Context) -> frozenset[str]:
    """Return the projects for which the user has approved imports from outside."""
    content = ctx.store.read(state_file(ctx))
    return content.once(_approvals, content)


def _approvals(content: FileText) -> frozenset[str]:
    """Return the projects with an approval in the state file.

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
