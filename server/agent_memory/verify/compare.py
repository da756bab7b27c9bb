"""Start the installed agent once, and compare its request with the preview, byte for byte."""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.base.model import Block, Exactness
from agent_memory.fs.overlay import Store
from agent_memory.fs.program_text import ProgramTexts
from agent_memory.l10n import t
from agent_memory.prompt.compose import compose_chosen
from agent_memory.runtimes.agents import program_pieces, verified
from agent_memory.runtimes.agents.agent import Agent
from agent_memory.runtimes.agents.programs import configured_path, find_program
from agent_memory.runtimes.selection import choose
from agent_memory.verify.copied import copied
from agent_memory.verify.mock_model import MockModel
from agent_memory.verify.process import Limit
from agent_memory.verify.requests import REQUESTS, quoting
from agent_memory.verify.started import StartPlace, sent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.prompt.compose import Prompt
    from agent_memory.runtimes.agents.programs import Program, ProgramSpec
    from agent_memory.runtimes.selection import Choice
    from agent_memory.verify.copied import Copied

SECONDS = 60.0
"""How long an agent may run if the caller does not say."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The first block that differs: its number (from 0), and both of its texts.

    ``ours`` is the text of the preview, ``sent`` that of the request; '' if the block is missing
    there. Equal texts mean that the roles of the blocks differ.
    """

    block: int
    ours: str
    sent: str

    @property
    def character(self) -> int:
        """The position of the first character that differs, from 0.

        If one text is the start of the other, or equal, that is the length of the shorter one.
        """
        pairs = enumerate(zip(self.ours, self.sent, strict=False))
        shorter_length = min(len(self.ours), len(self.sent))
        return next((position for position, (a, b) in pairs if a != b), shorter_length)

    @property
    def byte(self) -> int:
        """The position of the first character that differs, in UTF-8 bytes."""
        return len(self.ours[: self.character].encode("utf-8", "surrogatepass"))


@dataclass(frozen=True, slots=True)
class _Run:
    """One run of the agent in a copy of the memory files.

    ``composed`` are the blocks of the preview of the copy, ``sent`` those of the request, both with
    the paths of the original. ``texts`` are the pieces of the program, ``refused`` the hosts that
    the agent tried to reach.
    """

    composed: list[Block]
    sent: list[Block]
    texts: Mapping[str, str]
    refused: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verified:
    """What was compared; preview and request are equal if ``difference`` is None.

    ``blocks`` are those that were sent. ``is_recorded``: this version is now exact on this machine.
    ``same_copy``: the preview of the copy, in which the agent ran, is that of the project.
    ``refused`` are the hosts that the agent tried to reach.
    """

    runtime: Agent
    program: Program
    blocks: tuple[Block, ...]
    difference: Difference | None
    is_recorded: bool
    same_copy: bool
    refused: tuple[str, ...]


def verify(ctx: Context, runtime_id: str | None = None, limit: Limit | None = None) -> Verified:
    """Start the agent once in a copy of the saved memory files, and compare what it sends.

    An equal request with memory is recorded, which makes this version exact on this machine. It is
    not recorded for a preview in our own wording, of which only the files are compared. If the
    request differs, an earlier record of the agent is removed. The store and programs of ``ctx``
    are not used, so that this can run in a thread of its own. ``runtime_id`` None: the runtime of
    the settings, else a detected one.

    Raises:
        UsageError: the runtime or agent is not valid, the program cannot be started or may not
            be run, the files cannot be copied, no request is sent within ``limit`` (SECONDS if it
            is None), or the cache folder cannot be written.

    """
    ctx, choice = choose(ctx.with_(store=Store(), programs=ProgramTexts()), runtime_id)
    runtime = choice.runtime
    # All agents of REQUESTS are an `Agent`: the first condition is for the type.
    if not isinstance(runtime, Agent) or runtime.id not in REQUESTS:
        startable = ", ".join(REQUESTS)
        raise UsageError(t("{0} cannot be started; possible are: {1}", runtime.title, startable))
    program = _program(ctx, runtime)
    preview = compose_chosen(ctx, choice)
    run = _run_in_copy(ctx, choice, runtime, program, limit or Limit(SECONDS))
    difference = _difference(run.composed, run.sent)
    is_own_wording = preview.exactness is Exactness.OWN_WORDING
    is_recorded = not difference and bool(run.sent) and not is_own_wording
    if is_recorded:
        program_pieces.record(ctx, program, runtime.pieces, run.texts)
    elif difference:
        verified.forget(ctx, runtime.id)
    same_copy = run.composed == preview.blocks()
    return Verified(
        runtime, program, tuple(run.sent), difference, is_recorded, same_copy, run.refused
    )


def _run_in_copy(
    ctx: Context, choice: Choice, runtime: Agent, program: Program, limit: Limit
) -> _Run:
    """Start ``program`` of ``runtime``, which ``choice`` names, in a copy, and return the run.

    Raises:
        UsageError: the files cannot be copied, the program cannot be started, or it sends no
            request within ``limit``.

    """
    with copied(ctx, runtime, program) as copy, MockModel() as model:
        root = None  # no root is searched, because the settings of the copy name the program
        texts = program_pieces.load(copy.ctx, root, runtime.pieces).texts
        place = StartPlace(copy.ctx.home, copy.ctx.cwd, copy.environment(model.port))
        command = _command(program, runtime.pieces.program)
        blocks = sent(REQUESTS[runtime.id], command, place, model, texts, limit)
        composed = compose_chosen(copy.ctx, choice)
        # `sent` finds blocks by the texts of the program. Without them, by the text of the files.
        if not blocks and composed.exactness is Exactness.OWN_WORDING:
            blocks = _quoting_memory(model, composed)
        return _Run(
            _with_original_paths(composed.blocks(), copy),
            _with_original_paths(blocks, copy),
            texts,
            tuple(dict.fromkeys(model.refused)),
        )


def _quoting_memory(model: MockModel, composed: Prompt) -> list[Block]:
    """Return the string in the requests to ``model`` that contains the most files of ``composed``.

    The string is returned as one block; [] if no string contains a file. The requests do not
    contain the own wording of the preview, so only the texts of files are searched.
    """
    of_files = [segment.text for segment in composed.segments if segment.path]
    memory = [text for text in of_files if text.strip()]
    return quoting([body for _, body in model.requests], memory)


def _with_original_paths(blocks: Sequence[Block], copy: Copied) -> list[Block]:
    """Return ``blocks`` from ``copy`` with the paths of the original in place of its own."""
    return [Block(block.role, copy.original(block.text)) for block in blocks]


def _program(ctx: Context, runtime: Agent) -> Program:
    """Return the installed program of ``runtime``.

    Raises:
        UsageError: it is not installed. Or it is in the project, which could contain any program,
            and the user has not set its path.

    """
    spec = runtime.pieces.program
    program = find_program(ctx, runtime.root(ctx), spec)
    if program is None:
        raise UsageError(
            t("{0} is not installed. Install it, or set `{1}`", runtime.title, spec.key)
        )
    root = runtime.root(ctx) or ctx.cwd.resolve()
    # If there is no program at the path that is set, `find_program` returns another one.
    configured = configured_path(ctx, spec)
    is_set = bool(configured) and os.path.realpath(configured) == str(program.path)
    if program.path.is_relative_to(root) and not is_set:
        raise UsageError(
            t(
                "{0} is part of the project, so it is not run. To run it, set `{1}`",
                program.path,
                spec.key,
            )
        )
    return program


def _command(program: Program, spec: ProgramSpec) -> Path:
    """Return the file to run: the executable, or the command of a package in a project.

    npm links the commands of packages in ``node_modules/.bin``.

    Raises:
        UsageError: the path is a folder that is not in ``node_modules``, such as a checkout, to
            which ``npm link`` leads.

    """
    if not program.path.is_dir():
        return program.path
    for path in program.path.parents:
        if path.name == "node_modules":
            return path / ".bin" / spec.command
    raise UsageError(
        t("{0} is a folder. Set `{1}` to the program in it that is run", program.path, spec.key)
    )


def _difference(composed: Sequence[Block], sent_blocks: Sequence[Block]) -> Difference | None:
    """Return the first difference of the two lists, None if they are equal.

    Blocks differ by role or text. The text of a missing block is ''.
    """
    for number, (ours, theirs) in enumerate(zip_longest(composed, sent_blocks)):
        if ours != theirs:
            return Difference(number, ours.text if ours else "", theirs.text if theirs else "")
    return None
