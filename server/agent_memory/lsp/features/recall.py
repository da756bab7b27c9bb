"""``agentMemory/recall``: search in learned entries, limited to what the agent may see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agent_memory import serialize
from agent_memory.entries.store import Filter
from agent_memory.lsp.features.feature import Feature
from agent_memory.lsp.features.prompt import context
from agent_memory.lsp.transport.params import Params
from agent_memory.recall import semantic
from agent_memory.recall.engine import LIMIT, RANKINGS, check_query
from agent_memory.runtimes import drover_entries

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

    from agent_memory.lsp.workspace.session import Session
    from agent_memory.recall.engine import SearchHit

_PARAMETERS = (
    "query", "scopes", "kinds", "tags", "limit", "ranking", "uri", "agent", "run", "runtime"
)  # fmt: skip


class RecallRequest(Feature):
    """The request and its command."""

    def register(self, server: LanguageServer) -> None:
        """Register the request and the command of the same name."""

        @server.feature("agentMemory/recall")
        @server.command("agentMemory.server.recall")
        def answer(params: Any) -> dict[str, Any]:
            return recall(self.session, params)


def recall(session: Session, value: Any) -> dict[str, Any]:
    """Return {"entries": the matches as JSON, best first; without ``query`` the latest entries}.

    ``value`` is an object with some of ``_PARAMETERS``. The list is empty in a project without a
    store. Only entries that the agent may see are searched: global ones, its own, and those of
    ``run`` if it is given.

    Raises:
        BadParamsError, UsageError: the parameters are invalid, or another process is writing the
            index.

    """
    params = Params(value, _PARAMETERS)
    query, limit = params.text("query") or "", params.number("limit", LIMIT)
    ranking = params.text("ranking") or RANKINGS[0]
    check_query(query, limit, ranking)
    ctx, _ = context(session, params)
    wanted = Filter(
        ctx.agent,
        params.text("run"),
        tuple(params.texts("scopes") or ()),
        tuple(params.texts("kinds") or ()),
        tuple(params.texts("tags") or ()),
    ).checked()
    root = session.projects.view(ctx.cwd).project.root
    folder = drover_entries.folder(ctx, root)
    if folder is None:
        return {"entries": []}
    mirrors = drover_entries.mirrors(ctx, root)
    # The model is None until a thread has loaded it: the search does not wait for it.
    hits = session.recall_indexes.get(folder, ctx.env).search(
        query, wanted, limit, mirrors, by=ranking, model=semantic.model(wait=False)
    )
    allowed = ctx.settings.allowed_secrets
    return {"entries": [_hit_json(session, hit, allowed) for hit in hits]}


def _hit_json(session: Session, hit: SearchHit, allowed: list[str]) -> dict[str, Any]:
    """Return ``hit`` as JSON with the URI of its file, null for an entry without a file.

    Secrets are masked; ``allowed`` are the SHA-256 hashes of those that are not.
    """
    path = hit.entry.path
    return {
        **serialize.hit_json(hit, allowed),
        "uri": session.positions.uri(path) if path else None,
    }
