"""``agentMemory/explain``: what each agent does with a file or line, and why."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from agent_memory.l10n import t
from agent_memory.lsp.features.feature import Feature
from agent_memory.lsp.features.prompt import PROJECT_KEYS, named_agent
from agent_memory.lsp.transport.errors import BadParamsError
from agent_memory.lsp.transport.params import Params
from agent_memory.lsp.workspace.session_settings import innermost
from agent_memory.prompt.answer import WORDS
from agent_memory.prompt.explain import explain
from agent_memory.runtimes.several import listed
from agent_memory.serialize_explained import explained_json

if TYPE_CHECKING:
    from pathlib import Path

    from pygls.lsp.server import LanguageServer

    from agent_memory.lsp.workspace.cursor import Cursor
    from agent_memory.lsp.workspace.session import Session

_SEVERAL = 2
"""The number of listed runtimes from which a comparison of them is shown."""


class ExplainRequest(Feature):
    """The request and its command."""

    def register(self, server: LanguageServer) -> None:
        """Register the request and the command of the same name."""

        @server.feature("agentMemory/explain")
        @server.command("agentMemory.server.explain")
        def answer(value: Any) -> dict[str, Any]:
            return explained(self.session, Params(value, (*PROJECT_KEYS, "line")))


def explained(session: Session, params: Params) -> dict[str, Any]:
    """Return what each listed runtime, or only ``runtime``, does with a file or a line of it.

    The file is ``uri``, the line ``line`` (from 0), if one is given. ``cwd`` is the URI of the
    folder that the agents start in; the default is :func:`_start_folder` of the file. Without
    ``agent``, or with 'auto', the agent is the one whose user memory contains the file, else that
    of the settings, else detected.

    Raises:
        BadParamsError, UsageError: the parameters are invalid.

    """
    path = params.path("uri")
    if path is None:
        raise BadParamsError("'uri' is missing: the URI of a file is needed")
    agent = named_agent(params)
    requested = session.projects.agent_of(path) if agent is None else agent
    cwd = params.path("cwd") or _start_folder(session, path)
    ctx = session.context(cwd, requested)
    explanation = explain(ctx, path, params.index("line"), params.text("runtime"))
    # One runtime at least is listed, even if only assumed. The root of the first one stands for
    # all: it only shortens the path that people see.
    root = explanation.answers[0].runtime.root(ctx)
    return explained_json(explanation, ctx, root, cache(session.positions.uri))


def _start_folder(session: Session, path: Path) -> Path:
    """Return the folder in which agents start: the innermost workspace folder around ``path``.

    A nested project does not count. For a file outside of the workspace it is the folder of
    ``Projects.cwd_of``.
    """
    return innermost(session.folders, path) or session.projects.cwd_of(path)


def about_agents(session: Session, cursor: Cursor) -> list[str]:
    """Return [Markdown list]: what each agent does with the line under the cursor.

    On the first line it is about the whole file, unless that line has an ``@``, which may begin an
    import. [] if only one runtime is listed: then there is nothing to compare.
    """
    folder = _start_folder(session, cursor.path)
    ctx = session.context(folder, session.projects.agent_of(cursor.path))
    if len(listed(ctx).reasons) < _SEVERAL:
        return []
    is_about_file = cursor.line == 0 and "@" not in cursor.text
    answers = explain(ctx, cursor.path, None if is_about_file else cursor.line).answers
    rows = [
        t("- {0}: {1}; {2}", t(answer.runtime.title), t(WORDS[answer.outcome]), answer.reason)
        for answer in answers
    ]
    return ["\n".join(rows)]
