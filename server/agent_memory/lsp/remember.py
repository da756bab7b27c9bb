"""``agentMemory/remember``: where a snippet would be filed; and the command that files it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agent_memory.lsp import convert
from agent_memory.lsp.edits import workspace_edit
from agent_memory.lsp.params import BadParamsError, Params
from agent_memory.lsp.prompt import PLACE, context
from agent_memory.text import slice_span

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent_memory.lsp.server import MemoryServer
    from agent_memory.lsp.session import Session
    from agent_memory.remember import Plan
    from agent_memory.snippets import Snippet

_KNOWN = ("text", "scope", "section", "origin", "redact", "anyway", "create", *PLACE)
_SCOPES = ("user", "project")
_CHOICES = {
    "secret": ("File it redacted", "redact"),
    "consent": ("Create the folder", "create"),
    "duplicate": ("File it anyway", "anyway"),
}
"""The button that goes on from an outcome, and the parameter it sets."""
_SHOW = "Show it"


def plan(session: Session, value: Any) -> Plan:
    """Return the plan for the parameters ``value``.

    Raises:
        BadParamsError, UsageError: they cannot be used as given.

    """
    from agent_memory import remember  # noqa: PLC0415 -- starting does not need it

    params = Params(value, _KNOWN)
    snippet = _snippet(session, params)
    scope = params.one_of("scope", _SCOPES)
    if params.path("uri") is None and snippet.origin:
        value = {**value, "uri": snippet.origin.as_uri()}
        params = Params(value, _KNOWN)
    ctx, runtime = context(session, params)
    return remember.plan(
        ctx,
        snippet,
        scope,
        section=params.text("section"),
        redact=params.flag("redact"),
        anyway=params.flag("anyway"),
        create=params.flag("create"),
        runtime_id=runtime,
    )


def answer(session: Session, made: Plan) -> dict[str, Any]:
    """Return ``made`` in the shape of the protocol."""
    out: dict[str, Any] = {
        "outcome": str(made.outcome),
        "message": made.message,
        "target": {
            "uri": session.places.uri(made.path),
            "line": made.line,
            "section": made.section,
            "exists": session.store.read(made.path).failure != "missing",
        },
        "sections": [{"title": title, "suggested": best} for title, best in made.sections],
        "secrets": [{"kind": item.title, "redacted": item.redacted} for item in made.secrets],
        "item": made.item,
    }
    if made.outcome == "ready":
        out["edit"] = _edit(session, made)
    return out


def run(server: MemoryServer, value: Any) -> dict[str, Any]:
    """File a snippet through the client: at once, or after the question its outcome asks."""
    session = server.session
    made = plan(session, value)
    if made.outcome == "ready":
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
        server.tell("Your editor does not let a server edit: `agent-memory remember` files it")
        return

    def applied(result: Any) -> None:
        if not (isinstance(result, dict) and result.get("applied")):
            server.tell(f"Your editor did not take the edit of {made.path.name}")

    label = f"Remember in {made.path.name}"
    edit = _edit(server.session, made)
    server.connection.ask("workspace/applyEdit", {"label": label, "edit": edit}, applied)


def _ask(server: MemoryServer, made: Plan, button: str, go_on: Callable[[], Any]) -> None:
    """Show what stands in the way, with the button that goes on."""
    buttons = [{"title": button}]
    if made.outcome == "duplicate" and server.session.client.show_document:
        buttons.insert(0, {"title": _SHOW})

    def chosen(result: Any) -> None:
        title = result.get("title") if isinstance(result, dict) else None
        if title == _SHOW:
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
    from agent_memory.snippets import Snippet  # noqa: PLC0415 -- as above

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
    """Add the request."""
    session = server.session

    def planned(params: Any) -> dict[str, Any]:
        return answer(session, plan(session, params))

    server.connection.handlers["agentMemory/remember"] = planned
