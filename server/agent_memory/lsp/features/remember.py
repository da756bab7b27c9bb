"""``agentMemory/remember``: where a snippet would be filed; and the command that files it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent_memory.base.text import slice_span
from agent_memory.l10n import t, untranslated
from agent_memory.lsp.features.prompt import PLACE, context
from agent_memory.lsp.protocol import convert
from agent_memory.lsp.protocol.workspace_edit import workspace_edit
from agent_memory.lsp.transport.params import BadParamsError, Params
from agent_memory.serialize import plan_json, target_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent_memory.config.context import Context
    from agent_memory.lsp.server import MemoryServer
    from agent_memory.lsp.workspace.session import Session
    from agent_memory.remember.entry_planner import EntryTarget
    from agent_memory.remember.plan import Plan
    from agent_memory.remember.snippet import Snippet

_KNOWN = (
    *("text", "scope", "file", "section", "origin", "redact", "anyway", "create"),
    *("kind", "summary", "tags", "run", *PLACE),
)
_SCOPES = ("user", "project", "global", "agent", "run")
_CHOICES = {
    "secret": (untranslated("File it redacted"), "redact"),
    "consent": (untranslated("Create the folder"), "create"),
    "duplicate": (untranslated("File it anyway"), "anyway"),
}
"""The button that goes on from an outcome, and the parameter it sets."""
_SHOW = untranslated("Show it")
_EVICT = untranslated("File it")


def plan(session: Session, value: Any) -> Plan:
    """Return the plan for the parameters ``value``.

    Raises:
        BadParamsError, UsageError: they cannot be used as given.

    """
    from agent_memory.remember import planner  # noqa: PLC0415 -- starting does not need it

    params = Params(value, _KNOWN)
    snippet = _snippet(session, params)
    near = snippet.origin or params.path("file")
    if params.path("uri") is None and near:
        value = {**value, "uri": near.as_uri()}
        params = Params(value, _KNOWN)
    ctx, runtime = context(session, params)
    return planner.plan(
        ctx,
        snippet,
        _target(ctx, params),
        section=params.text("section"),
        redact=params.flag("redact"),
        allow_duplicate=params.flag("anyway"),
        create=params.flag("create"),
        runtime_id=runtime,
    )


def _target(ctx: Context, params: Params) -> str | Path | EntryTarget:
    """Return where to file it: a scope of memory files, a file, or an entry."""
    from agent_memory.remember.entry_planner import EntryTarget  # noqa: PLC0415 -- as above
    from agent_memory.runtimes.selection import choose  # noqa: PLC0415 -- as above

    if params.text("file") is not None:
        file = params.path("file")
        if file is None or params.text("scope") is not None:
            raise BadParamsError("'file' is a file: URI, in place of 'scope'")
        return file
    scope = params.one_of("scope", _SCOPES)
    if scope in ("user", "project"):
        return scope
    asker, _ = choose(ctx, "drover")
    return EntryTarget(
        scope,
        params.text("kind") or "project",
        params.text("summary"),
        tuple(params.texts("tags") or ()),
        asker.agent,
        params.text("run"),
    )


def answer(session: Session, made: Plan) -> dict[str, Any]:
    """Return ``made`` in the shape of the protocol."""
    out = plan_json(made)
    out["target"] = {
        "uri": session.places.uri(made.path),
        "line": out.pop("line"),
        "section": out.pop("section"),
        "exists": session.store.read(made.path).failure != "missing",
    }
    if made.outcome == "ready":
        out["edit"] = _edit(session, made)
    return out


def targets(session: Session, value: Any) -> dict[str, Any]:
    """Answer ``agentMemory/targets``: the files a snippet can be filed into by name."""
    from agent_memory.remember.targets import nameable  # noqa: PLC0415 -- as above

    ctx, runtime = context(session, Params(value, PLACE))
    found = [target_json(target) for target in nameable(ctx, runtime)]
    for row in found:
        row["uri"] = session.places.uri(Path(row["path"]))
    return {"targets": found}


def run(server: MemoryServer, value: Any) -> dict[str, Any]:
    """File a snippet through the client: at once, or after the question its outcome asks."""
    session = server.session
    made = plan(session, value)
    if made.outcome == "ready" and made.evicts:
        _ask(server, made, _EVICT, lambda: _apply(server, plan(session, value)))
    elif made.outcome == "ready":
        _apply(server, made)
    elif made.outcome in _CHOICES:
        button, key = _CHOICES[made.outcome]
        _ask(server, made, button, lambda: run(server, {**value, key: True}))
    else:
        server.tell(made.message)
    return answer(session, made)


def _edit(session: Session, made: Plan) -> dict[str, Any]:
    return workspace_edit(session.places, session.client, made.edits, creates=made.creates)


def _apply(server: MemoryServer, made: Plan) -> None:
    if not server.session.client.apply_edit:
        server.tell(t("Your editor does not let a server edit: `agent-memory remember` files it"))
        return

    def applied(result: Any) -> None:
        if not (isinstance(result, dict) and result.get("applied")):
            server.tell(t("Your editor did not take the edit of {0}", made.path.name))

    label = t("Remember in {0}", made.path.name)
    edit = _edit(server.session, made)
    server.connection.ask("workspace/applyEdit", {"label": label, "edit": edit}, applied)


def _ask(server: MemoryServer, made: Plan, button: str, go_on: Callable[[], Any]) -> None:
    """Show what stands in the way, with the button that goes on."""
    button, show = t(button), t(_SHOW)
    buttons = [{"title": button}]
    if made.outcome == "duplicate" and server.session.client.show_document:
        buttons.insert(0, {"title": show})

    def chosen(result: Any) -> None:
        title = result.get("title") if isinstance(result, dict) else None
        if title == show:
            place = {"line": made.line, "character": 0}
            uri = server.session.places.uri(made.path)
            params = {"uri": uri, "selection": {"start": place, "end": place}}
            server.connection.ask("window/showDocument", params)
        elif title == button:
            go_on()

    params = {"type": 3, "message": made.message, "actions": buttons}
    server.connection.ask("window/showMessageRequest", params, chosen)


def _snippet(session: Session, params: Params) -> Snippet:
    """Return the text to file: as given, or as it stands at the origin."""
    from agent_memory.remember.snippet import Snippet  # noqa: PLC0415 -- as above

    origin = params.table("origin")
    if origin is None:
        return Snippet(params.needed("text"))
    known = Params(origin, ("uri", "range", "languageId"))
    uri, where = known.needed("uri"), known.table("range")
    document, path = session.documents.get(uri), convert.to_path(uri)
    lines = document.lines if document else session.store.read(path).lines if path else []
    language = known.text("languageId") or (document.language if document else "")
    if where is None:
        return Snippet(params.needed("text"), path, language=language)
    try:
        span = convert.to_span(where, lines, session.places.encoding)
    except (KeyError, TypeError):
        raise BadParamsError("'origin.range' is not a range of an LSP document") from None
    text = params.text("text")
    if text is None:
        text = slice_span(lines, span)
    last = span.end_line - (span.end == 0 and span.end_line > span.line)
    return Snippet(text, path, span.line, last, language)


def register(server: MemoryServer) -> None:
    """Add the requests."""
    session = server.session

    def planned(params: Any) -> dict[str, Any]:
        return answer(session, plan(session, params))

    server.connection.handlers |= {
        "agentMemory/remember": planned,
        "agentMemory/targets": lambda params: targets(session, params),
    }
