"""What a runtime is to the rest of the product.

:mod:`~agent_memory.runtimes.reading` and :mod:`~agent_memory.runtimes.segments` hold the steps
that several runtimes share.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from agent_memory.base.model import Exactness, Problem, Role, Scope, Segment, Source, Status
from agent_memory.l10n import t

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.runtimes.agents.programs import ProgramSpec
    from agent_memory.skills.discovery import Skill


class Composition(NamedTuple):
    """A composed prompt: the text is that of ``segments``, in order.

    ``version`` is that of the installed program, '' if it is not installed or its version is not
    known. ``origin`` says where the text around memory comes from. ``roles[i]`` is the role of the
    message with block i, the segments of which have i as their ``block``.
    """

    segments: tuple[Segment, ...]
    exactness: Exactness = Exactness.OWN_WORDING
    version: str = ""
    origin: str = ""
    problems: tuple[Problem, ...] = ()
    roles: tuple[str, ...] = ("system",)


class Detection(NamedTuple):
    """Why a project seems to use a runtime; of several runtimes the greatest weight decides."""

    weight: int
    reason: str


class RulePatterns(NamedTuple):
    """The condition of a rule: an agent gets the rule when it reads a file that matches."""

    folder: Path
    """The patterns are relative to it."""
    patterns: tuple[str, ...]


class OddCondition(NamedTuple):
    """A condition of a rule with another effect than it seems to have, on ``line`` (from 0)."""

    line: int
    message: str


class Runtime(ABC):
    """A program that puts memory into a system prompt.

    A new runtime is a module with a subclass, its profile, and a line in the table of
    :mod:`agent_memory.runtimes`; CONTRIBUTING names the other places. Nothing here raises for
    what is on disk: if the real runtime would crash, skip a file or insert a placeholder, a
    problem or the reason of a source says so.

    A method that returns nothing here (None, False, '' or an empty list) is right for a runtime
    that has no such thing as its docstring describes; the others override it.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    """The name for people."""
    summary: ClassVar[str]
    """What it reads, in a few words."""
    default_agent: ClassVar[str] = "agent"
    """The agent's id if nothing else decides it: a request, the settings, or an only agent."""
    settings: ClassVar[tuple[str, ...]] = ()
    """Keys of settings that only some runtimes use, this one among them."""

    # Which projects use it
    packages: ClassVar[tuple[str, ...]] = ()
    """Python distributions that show, when installed in a project, that it uses this runtime."""
    node_packages: ClassVar[tuple[str, ...]] = ()
    """The same for npm packages."""
    program: ClassVar[ProgramSpec | None] = None
    """The program of an agent that is installed for the user; None for a package of a project."""
    markers: ClassVar[Mapping[str, int]] = {}
    """Paths that suggest this runtime, each with a weight; the heaviest that exists decides.

    A path is relative to the project's root or begins with ``~/``; ``{agent}`` is the agent's id.
    """

    # Where its files are
    project_files: ClassVar[tuple[str, ...]] = ()
    """Memory files below the project's root; the first is the one to create."""
    memory_names: ClassVar[tuple[str, ...]] = ()
    """File names that are memory in any folder."""
    reads_each_folder: ClassVar[bool] = True
    """It reads a file of ``memory_names`` in each folder from the root to the one it starts in."""
    folders: ClassVar[tuple[str, ...]] = ()
    """Folders of a project that hold its memory; they are watched with all subfolders."""
    skill_folders: ClassVar[tuple[str, ...]] = ()
    """More folders of a project in which it looks for skills."""
    user_folders: ClassVar[tuple[str, ...]] = ()
    """Folders of the home with a folder of user memory per agent, such as ``~/.deepagents``."""

    # What it does with them
    container_tags: ClassVar[tuple[str, ...]] = ()
    """Names of the tags around memory; memory that closes one breaks out of it."""
    strips_comments: ClassVar[bool] = False
    """It removes all closed HTML comments from memory, also those inside of a line."""
    max_file_bytes: ClassVar[int | None] = None
    """UTF-8 bytes of a memory file: it cuts a larger one off, or removes items; None: no limit."""
    names_setting: ClassVar[str] = ""
    """Its own setting for the names of memory files, as Markdown code with the file it is in.

    '' if it has no such setting.
    """
    stores_learnings: ClassVar[bool] = False
    """Its memory files have fixed sections with limits, and learnings are added to these."""

    def matches(self, version: str) -> bool:  # noqa: ARG002
        """Whether an installed package of ``version`` behaves as this profile describes.

        By default each version does.
        """
        return True

    def detected(self, ctx: Context, root: Path) -> Detection | None:
        """Return the heaviest marker that exists, with a reason; None if no marker exists."""
        heaviest_first = sorted(self.markers.items(), key=lambda marker: -marker[1])
        for marker, weight in heaviest_first:
            why = self.marker_reason(ctx, root, marker)
            if why:
                return Detection(weight, why)
        return None

    def marker_reason(self, ctx: Context, root: Path, marker: str) -> str:
        """Return the sentence that ``marker`` of ``markers`` exists, '' if it does not exist."""
        shown = marker.format_map({"agent": self.agent_of(ctx)})
        base = ctx.home if shown.startswith("~/") else root
        path = base / shown.removeprefix("~/")
        # case-sensitive on every file system
        return t("{0} exists", shown) if path.name in ctx.store.names(path.parent) else ""

    @staticmethod
    def role_of(path: Path) -> Role | None:  # noqa: ARG004
        """Return the role of a file that is recognized by its folder or by a pattern, else None.

        ``memory_names`` need no method. This one is called for every file of a project, so it
        should cost at most a microsecond.
        """
        return None

    def owner_of(self, path: Path, home: Path) -> str:  # noqa: ARG002
        """Return the agent that ``path`` is the memory of, '' for none.

        Only the location and the name of the file count.
        """
        return ""

    @abstractmethod
    def root(self, ctx: Context) -> Path | None:
        """Return the project's root by this runtime's own rule, None outside of a project."""

    def missing_project(self, ctx: Context) -> str:  # noqa: ARG002
        """Return why there is no project, or why the nearest ``.git`` file is not accepted.

        The sentence also says what to do. '' if there is a project and no such file.
        """
        return ""

    @abstractmethod
    def sources(self, ctx: Context) -> list[Source]:
        """Return every file this runtime reads, could read or ignores, in load order."""

    def agents(self, ctx: Context) -> list[str]:  # noqa: ARG002
        """Return the ids of the agents that have memory."""
        return []

    def skills(self, ctx: Context) -> list[Skill]:  # noqa: ARG002
        """Return what looks like a skill: the listed ones in prompt order, then the others."""
        return []

    def follows_import(self, path: Path, importer: Path) -> bool:  # noqa: ARG002
        """Whether this runtime sends the text of ``path`` for `@path` in ``importer``.

        The text replaces `@path` or is added. ``importer`` is not itself imported: for a nested
        import it is the outermost file.
        """
        return False

    def condition(self, ctx: Context, path: Path) -> str:  # noqa: ARG002
        """Return in words when ``path`` is sent after the start of a session, '' if it is not.

        For example "added when Claude Code reads a file in /project/docs".
        """
        return ""

    def later_imports(self, ctx: Context, paths: Iterable[Path]) -> list[Source]:  # noqa: ARG002
        """Return the imports that are sent after the start of a session, as ``paths`` are.

        ``by`` of each source is the file that imports it.
        """
        return []

    def patterns(self, ctx: Context, source: Source) -> RulePatterns | None:  # noqa: ARG002
        """Return the condition of ``source``, None unless it is a conditional rule of a project."""
        return None

    def odd_condition(self, ctx: Context, source: Source) -> OddCondition | None:  # noqa: ARG002
        """Return the condition of ``source`` if it has another effect than it seems to have.

        None if it has the effect that it seems to have, and for a file without a condition.
        """
        return None

    def reading(self, ctx: Context, path: Path) -> Composition:  # noqa: ARG002
        """Return what is added to the tool's result when the agent reads ``path``.

        The kind of a segment with text of a file is the scope of the file: `user` or `project`.
        """
        return Composition(())

    @abstractmethod
    def compose(self, ctx: Context, sources: Sequence[Source], base: str = "") -> Composition:
        """Return the prompt block of ``sources``, combined with ``base``.

        ``base`` is a whole system prompt, '' for the prompt block alone.
        """

    def memory_path(self, ctx: Context, scope: Scope) -> Path | None:
        """Return the file to write to for ``scope``, None if this runtime has no such file.

        That is the first existing file of memory or instructions that is neither shadowed nor
        ignored, else the first missing one. Without any such file of a project and without a root,
        it is the file to create in ``cwd``.
        """
        of_scope = [source for source in self.sources(ctx) if source.scope == scope]
        candidates = [
            source
            for source in of_scope
            if source.role in (Role.MEMORY, Role.INSTRUCTIONS)
            and source.status not in (Status.SHADOWED, Status.IGNORED)
        ]
        existing = [source for source in candidates if source.status is not Status.MISSING]
        if candidates:
            return (existing or candidates)[0].path
        if scope is not Scope.PROJECT or not self.project_files or self.root(ctx):
            return None  # with a root the sources would contain the file to create
        return ctx.cwd.resolve() / self.project_files[0]

    def agent_of(self, ctx: Context) -> str:
        """Return the agent's id: the requested one, else the setting, else the default."""
        configured = ctx.settings.agent
        return ctx.agent or (configured if configured != "auto" else self.default_agent)
