"""The Python API: one object for the memory of an agent (docs/api.md)."""

from __future__ import annotations

import contextlib
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.config.context import Context
from agent_memory.config.settings import Settings
from agent_memory.config.settings_files import load_project, load_user
from agent_memory.lint.engine import check
from agent_memory.lint.known_names import KNOWN_NAMES
from agent_memory.prompt.compose import compose
from agent_memory.secrets import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agent_memory.base.model import Source
    from agent_memory.entries.entry_file import Entry
    from agent_memory.entries.markdown_store import MarkdownEntries
    from agent_memory.lint.engine import Report
    from agent_memory.lint.fixes import Fixed
    from agent_memory.prompt.compose import Prompt
    from agent_memory.prompt.explain import Explained
    from agent_memory.prompt.overview import Overview
    from agent_memory.recall.hits import SearchHit
    from agent_memory.remember.entry_planner import EntryTarget
    from agent_memory.remember.plan import Plan

    AnyPath = str | os.PathLike[str]


class Memory:
    """The memory of an agent that starts in ``cwd``.

    The settings are read once, when it is created; every method but :meth:`with_settings` reads
    the memory from disk when it is called. Only :meth:`remember`, :meth:`forget`, :meth:`restore`
    and :meth:`promote` change memory; the others write at most to the user's cache folder.
    ``problems`` are messages about invalid settings.
    """

    def __init__(
        self,
        cwd: AnyPath = ".",
        *,
        home: AnyPath | None = None,
        runtime: str | None = None,
        agent: str | None = None,
        run: str | None = None,
        settings: Settings | None = None,
    ) -> None:
        """Open the memory of the folder ``cwd``.

        User memory is below ``home``, by default the home folder of the current user. ``runtime``
        and ``agent`` are ids (None: that of the settings, else detected), ``run`` is the id of a
        run that has entries. The settings files of the user and of the project override
        ``settings``.

        Raises:
            UsageError: ``cwd`` is not a folder.

        """
        folder = Path(cwd).expanduser().absolute()
        if not folder.is_dir():
            raise UsageError(f"{folder}: the folder does not exist")
        user_home = Path(home).expanduser().absolute() if home is not None else Path.home()
        user_settings, user_problems = load_user(user_home, settings or Settings(), KNOWN_NAMES)
        loaded, project_problems = load_project(folder, user_settings, KNOWN_NAMES)
        # Each once: in the home folder, both settings files are the same.
        problems = dict.fromkeys((*user_problems, *project_problems))
        self.runtime = runtime
        self.problems = tuple(shown(str(problem)) for problem in problems)  # secrets are masked
        self.context = Context(user_home, folder, settings=loaded, agent=agent, run=run)

    def check(self, paths: Iterable[AnyPath] | None = None) -> Report:
        """Return the report about ``paths``: their findings that the baseline does not accept.

        Findings with the same cause are reported as one, and so are infos of one rule in very many
        entries. ``paths`` None stands for the existing files that the listed runtimes read or
        ignore, and for other files with findings, such as those of settings.

        Raises:
            UsageError: the runtime or the agent's id is not valid.

        """
        return check(self.context, self._files(paths), self.runtime)

    def prompt(self, base: str = "") -> Prompt:
        """Return the prompt that the agent receives from memory.

        ``base`` is the system prompt around the memory, '' to return the memory alone.

        Raises:
            UsageError: the runtime or the agent's id is not valid.

        """
        return compose(self.context, self.runtime, base)

    def sources(self) -> tuple[Source, ...]:
        """Return every file that the runtime reads, could read or ignores, in load order.

        Memory files nearby that the runtime does not find come last.

        Raises:
            UsageError: the runtime or the agent's id is not valid.

        """
        return self.prompt().sources

    def explain(self, path: AnyPath, line: int | None = None) -> Explained:
        """Return what agents do with the file ``path``, or with its ``line`` (from 0).

        The agents are the listed runtimes; if this memory was opened with a runtime, only that one.

        Raises:
            UsageError: the runtime or the agent's id is not valid, or there is no such line.

        """
        from agent_memory.prompt.explain import explain  # noqa: PLC0415 -- few callers explain

        return explain(self.context, self._absolute(path), line, self.runtime)

    def overview(self) -> Overview:
        """Return the table of all known memory files: what each agent does with each of them.

        The agents are those of :meth:`explain`.

        Raises:
            UsageError: the runtime or the agent's id is not valid.

        """
        from agent_memory.prompt.overview import overview  # noqa: PLC0415 -- few callers need it

        return overview(self.context, self.runtime)

    def fixed(self, paths: Iterable[AnyPath] | None = None, *, unsafe: bool = False) -> list[Fixed]:
        """Return the files that fixes change, with their new text; nothing is written.

        ``paths`` are those of :meth:`check`. Without ``unsafe`` only safe fixes are applied.

        Raises:
            UsageError: the runtime or the agent's id is not valid.

        """
        from agent_memory.lint.fixes import fix_all  # noqa: PLC0415 -- most callers only read

        return fix_all(self.context, self._files(paths), self.runtime, unsafe=unsafe)

    def remember(  # noqa: PLR0913 -- the options of the one planner
        self,
        text: str,
        scope: str | None = None,
        *,
        file: AnyPath | None = None,
        entry: EntryTarget | None = None,
        section: str | None = None,
        redact: bool = False,
        allow_duplicate: bool = False,
        create: bool = False,
        dry_run: bool = False,
    ) -> Plan:
        """Save ``text`` to memory of ``scope`` (project or user); return the plan and its outcome.

        Instead of a scope, pass ``file``, any memory file of this project or user, or ``entry`` for
        a learned entry; without any of the three it is project memory. ``section`` is the heading
        to add the text under (None: the suggested one). Only the outcome ``ready`` means that the
        text was written, and that only without ``dry_run``. It is not written if it already exists
        (unless ``allow_duplicate``), contains a secret (unless ``redact``) or needs a new memory
        folder in the project (unless ``create``). ``evicts`` of the plan lists the older items
        that are removed to make room.

        Raises:
            UsageError: more than one target is passed, there is no such memory, the entry breaks
                a limit or has a secret in its summary or a tag, or the file cannot be written.

        """
        from agent_memory.remember import planner  # noqa: PLC0415 -- most callers only read
        from agent_memory.remember.snippet import Snippet  # noqa: PLC0415

        if sum(target is not None for target in (scope, file, entry)) > 1:
            raise UsageError("pass only one of scope, file and entry")
        target: str | Path | EntryTarget = entry or scope or "project"
        if file is not None:  # then there is no scope and no entry
            target = Path(file)
        plan = planner.plan(
            self.context,
            Snippet(text),
            target,
            section=section,
            redact=redact,
            allow_duplicate=allow_duplicate,
            create=create,
            runtime_id=self.runtime,
        )
        if dry_run or plan.outcome != "ready":
            return plan
        return planner.apply(plan)

    def recall(  # noqa: PLR0913 -- the options of a search
        self,
        query: str,
        *,
        scopes: Iterable[str] = (),
        kinds: Iterable[str] = (),
        tags: Iterable[str] = (),
        limit: int = 10,
        ranking: str = "relevance",
        semantic: bool = False,
    ) -> list[SearchHit]:
        """Return the learned entries that match ``query``, best first; for '', the last changed.

        Without ``scopes``, global entries and those of the agent and the run of this memory are
        searched, and the project's instruction files. ``ranking`` is relevance or drover.
        ``semantic`` also compares meaning, if the extra of that name is installed.

        Raises:
            UsageError: a value is not valid, or the folder of entries may not be read.

        """
        from agent_memory.entries.store import Filter  # noqa: PLC0415 -- few callers search
        from agent_memory.recall import semantic as meaning  # noqa: PLC0415
        from agent_memory.recall import usage  # noqa: PLC0415
        from agent_memory.recall.engine import Recall  # noqa: PLC0415

        ctx = self.context
        store = self._entries()
        wanted = Filter(ctx.agent, ctx.run, tuple(scopes), tuple(kinds), tuple(tags))
        model = meaning.model(wait=True) if semantic else None
        with contextlib.closing(Recall.open(store.root, ctx.env)) as index:
            hits = index.search(query, wanted, limit, store.mirrors, by=ranking, model=model)
        usage.record(store.root, ctx.env, hits)
        return hits

    def entries(
        self,
        *,
        scopes: Iterable[str] = (),
        kinds: Iterable[str] = (),
        tags: Iterable[str] = (),
        agent: str | None = None,
        older: float | None = None,
        unused: float | None = None,
    ) -> list[Entry]:
        """Return learned entries, the last changed first.

        ``agent`` (default: the agent of this memory) and the run of this memory select entries that
        belong to them; None selects entries of all agents, or of all runs. With an agent or a run,
        global entries are left out. Mirrors of instruction files are always left out. ``older`` is
        the least number of days since the last change, ``unused`` since the last change or recall.

        Raises:
            UsageError: the folder of entries may not be read.

        """
        from agent_memory.recall.listing import EntryFilter, listed  # noqa: PLC0415 -- few callers

        ctx = self.context
        wanted = EntryFilter(
            agent or ctx.agent, ctx.run, tuple(scopes), tuple(kinds), tuple(tags), older, unused
        )
        return [row.entry for row in listed(self._entries(), ctx.env, wanted)]

    def forget(self, entry_id: str) -> Entry:
        """Move a learned entry to the trash of its store and return it.

        Raises:
            UsageError: the entry does not exist, mirrors an instruction file, or is not the
                agent's.

        """
        return self._entries().forget(entry_id, self.context.agent, self.context.run)

    def restore(self, entry_id: str) -> Entry:
        """Move a learned entry out of the trash and return it.

        Raises:
            UsageError: the entry is not in the trash, contains a secret, or exists again.

        """
        return self._entries().trash().restore(entry_id)

    def promote(
        self, entry_id: str, to: AnyPath = "project", *, create: bool = False, dry_run: bool = False
    ) -> Plan:
        """Move a learned entry to ``project`` or ``user`` memory, or to a memory file.

        Return the plan. Only the outcomes ``ready`` and ``duplicate`` mean that the entry was
        moved, and that only without ``dry_run``. ``duplicate``: the memory contained the text of
        the entry before, so the entry only went to the trash. ``create`` allows a new folder in
        the project.

        Raises:
            UsageError: the entry does not exist, mirrors an instruction file, or is not the
                agent's; the target is not a memory, or a file cannot be written.

        """
        from agent_memory.remember import promote  # noqa: PLC0415 -- most callers only read

        target = to if to in ("project", "user") else Path(to)
        planned = promote.promote(
            self.context, entry_id, target, create=create, runtime_id=self.runtime
        )
        if dry_run or planned.plan.outcome not in ("ready", "duplicate"):
            return planned.plan
        return promote.apply(planned)

    def targets(self) -> list[Path]:
        """Return the files that :meth:`remember` accepts as ``file``.

        Raises:
            UsageError: the runtime or the agent's id is not valid.

        """
        from agent_memory.remember.targets import available_targets  # noqa: PLC0415 -- most callers only read

        return [target.source.path for target in available_targets(self.context, self.runtime)]

    def with_settings(self, **changes: object) -> Memory:
        """Return a copy of this memory with changed settings; keywords are fields of Settings.

        This memory stays unchanged, and the settings files are not read again.
        """
        other = object.__new__(Memory)  # ``__init__`` would read the settings files
        other.runtime, other.problems = self.runtime, self.problems
        settings = replace(self.context.settings, **changes)  # type: ignore[arg-type]
        other.context = self.context.with_(settings=settings)
        return other

    def _entries(self) -> MarkdownEntries:
        """Return the store of learned entries.

        Raises:
            UsageError: its folder may not be read.

        """
        from agent_memory.remember.entry_planner import entries_of  # noqa: PLC0415 -- few callers

        return entries_of(self.context)

    def _files(self, paths: Iterable[AnyPath] | None) -> Sequence[Path] | None:
        """Return ``paths`` as absolute ones; relative ones start in ``cwd``. None for None."""
        if paths is None:
            return None
        return [self._absolute(path) for path in paths]

    def _absolute(self, path: AnyPath) -> Path:
        """Return ``path`` as an absolute one, a relative one from ``cwd``; symlinks are kept."""
        return Path(os.path.abspath(self.context.cwd / path))  # noqa: PTH100
