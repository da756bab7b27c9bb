"""``agentMemory/remember``: where a snippet would be saved; and the command that saves it."""

from __future__ import annotations

from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent_memory.base.text import slice_span
from agent_memory.l10n import t, untranslated
from agent_memory.lsp.features.feature import Feature
from agent_memory.lsp.features.prompt import PROJECT_KEYS, context
from agent_memory.lsp.protocol import convert
from agent_memory.lsp.transport.errors import BadParamsError
from agent_memory.lsp.transport.params import Params
from agent_memory.serialize import plan_json, target_json

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pygls.lsp.server import LanguageServer

    from agent_memory.base.text import Span
    from agent_memory.config.context import Context
    from agent_memory.lsp.workspace.session import Session
    from agent_memory.remember.entry_planner import EntryTarget
    from agent_memory.remember.plan import Plan
    from agent_memory.remember.snippet import Snippet

_PARAMETERS = (
    *("text", "scope", "file", "section", "origin", "redact", "allowDuplicate", "create"),
    "byAgent",
    *("kind", "summary", "tags", "run", *PROJECT_KEYS),
)
_SCOPES = ("user", "project", "global", "agent", "run")
"""Values of ``scope``: the first two are memory files, the others new entries."""
_CHOICES = {
    "secret": (untranslated("Save redacted"), "redact"),
    "consent": (untranslated("Create the folder"), "create"),
    "duplicate": (untranslated("Save anyway"), "allowDuplicate"),
}
"""By outcome: the button that continues, and the parameter it sets."""
_SHOW = untranslated("Show")  # the existing item
_EVICT = untranslated("Save")  # although older items make room for the new one


class Remember(Feature):
    """The requests, and the commands that use the client's own edits and questions."""

    def register(self, server: LanguageServer) -> None:
        """Register the requests and the commands; all return JSON."""

        @server.feature("agentMemory/remember")
        def planned(value: Any) -> dict[str, Any]:
            return answer(self.session, plan(self.session, value))

        @server.command("agentMemory.server.remember")
        def run(value: Any) -> dict[str, Any]:
            return self.run(value)

        @server.feature("agentMemory/targets")
        @server.command("agentMemory.server.targets")
        def list_targets(value: Any) -> dict[str, Any]:
            return targets(self.session, value)

    def run(self, value: Any) -> dict[str, Any]:
        """Save a snippet through the client: at once, or after the user has confirmed.

        The user confirms if older items make room for the snippet, or for an outcome of
        ``_CHOICES``. Return the plan as JSON, before it is applied. If the plan was refused, the
        user sees why.

        Raises:
            BadParamsError, UsageError: the parameters are invalid.

        """
        session = self.session
        planned = plan(session, value)
        if planned.outcome == "ready" and planned.evicts:  # older items make room for it
            # The file may change until the user has confirmed, so the plan is made again.
            self._confirm(planned, _EVICT, lambda: self._apply_if_ready(plan(session, value)))
        elif planned.outcome == "ready":
            self._apply(planned)
        elif planned.outcome in _CHOICES:
            button, parameter = _CHOICES[planned.outcome]
            self._confirm(planned, button, lambda: self.run({**value, parameter: True}))
        else:
            self.client.show_message(planned.message)
        return answer(session, planned)

    def _apply_if_ready(self, planned: Plan) -> None:
        """Apply ``planned``; if it is no longer ready, the user sees why."""
        if planned.outcome == "ready":
            self._apply(planned)
        else:
            self.client.show_message(planned.message)

    def _apply(self, planned: Plan) -> None:
        """Make the client apply the edit of ``planned``.

        The user sees a message if the editor does not support edits or has not applied this one.
        """
        if not self.session.capabilities.apply_edit:
            self.client.show_message(
                t("This editor does not support edits by a server. Use `agent-memory remember`.")
            )
            return

        def applied(result: Any) -> None:
            """Notify the user if the client has not applied the edit."""
            if not (isinstance(result, dict) and result.get("applied")):
                self.client.show_message(
                    t("The editor did not apply the edit of {0}.", planned.path.name)
                )

        label = t("Remember in {0}", planned.path.name)
        edit = edit_of(self.session, planned)
        self.client.request("workspace/applyEdit", {"label": label, "edit": edit}, applied)

    def _confirm(self, planned: Plan, button: str, proceed: Callable[[], Any]) -> None:
        """Show the message of the plan; call ``proceed`` if the user clicks on ``button``.

        The message says why the plan is not ready, or that older items make room for the new one.
        For a duplicate, another button shows the existing item, if the client can show a document.
        """
        button, show = t(button), t(_SHOW)
        buttons = [button]
        if planned.outcome == "duplicate" and self.session.capabilities.show_document:
            buttons.insert(0, show)

        def chosen(title: str | None) -> None:
            """Show the existing item, or proceed; nothing if the question was dismissed."""
            if title == show:
                start = {"line": planned.line, "character": 0}
                uri = self.session.positions.uri(planned.path)
                params = {"uri": uri, "selection": {"start": start, "end": start}}
                self.client.request("window/showDocument", params)
            elif title == button:
                proceed()

        self.client.ask(planned.message, buttons, chosen)


def plan(session: Session, value: Any) -> Plan:
    """Return the plan that saves the snippet; ``value`` is an object with some of ``_PARAMETERS``.

    Without ``cwd`` and ``uri``, the project is that of the snippet's file, else that of the target
    file.

    Raises:
        BadParamsError, UsageError: the parameters are invalid.

    """
    from agent_memory.remember import planner  # noqa: PLC0415 -- loaded on first use

    params = Params(value, _PARAMETERS)
    snippet = _snippet(session, params)
    file = snippet.origin or params.path("file")
    if params.path("uri") is None and file:
        params = Params({**value, "uri": file.as_uri()}, _PARAMETERS)
    ctx, runtime = context(session, params)
    return planner.plan(
        ctx,
        snippet,
        _target(ctx, params),
        section=params.text("section"),
        redact=params.flag("redact"),
        allow_duplicate=params.flag("allowDuplicate"),
        create=params.flag("create"),
        runtime_id=runtime,
        by_agent=params.flag("byAgent"),
    )


def _target(ctx: Context, params: Params) -> str | Path | EntryTarget:
    """Return the target: 'user' or 'project' memory, the path of a file, or a new entry.

    Raises:
        BadParamsError: ``file`` is not a ``file:`` URI, both ``file`` and ``scope`` are given or
            missing, or ``scope`` is unknown.

    """
    from agent_memory.remember.entry_planner import EntryTarget  # noqa: PLC0415 -- not at start
    from agent_memory.runtimes.drover import Drover  # noqa: PLC0415 -- not at start
    from agent_memory.runtimes.selection import choose  # noqa: PLC0415 -- not at start

    if params.text("file") is not None:
        file = params.path("file")
        if file is None or params.text("scope") is not None:
            raise BadParamsError("'file' is a file: URI, in place of 'scope'")
        return file
    scope = params.one_of("scope", _SCOPES)
    if scope in ("user", "project"):  # the other scopes are those of entries
        return scope
    drover_ctx, _ = choose(ctx, Drover.id)  # with the agent that drover would use
    return EntryTarget(
        scope,
        params.text("kind") or "project",
        params.text("summary"),
        tuple(params.texts("tags") or ()),
        drover_ctx.agent,
        params.text("run"),
    )


def answer(session: Session, planned: Plan) -> dict[str, Any]:
    """Return a plan as JSON, with the URI of its target, and with its ``edit`` if it is ready."""
    out = plan_json(planned)
    out["target"] = {
        "uri": session.positions.uri(planned.path),
        "line": out.pop("line"),
        "section": out.pop("section"),
        "exists": session.store.read(planned.path).failure != "missing",
    }
    if planned.outcome == "ready":
        out["edit"] = edit_of(session, planned)
    return out


def targets(session: Session, value: Any) -> dict[str, Any]:
    """Return {"targets": the files that can be named as the target of a snippet, as JSON}.

    ``value`` is an object with some of ``PROJECT_KEYS``.

    Raises:
        BadParamsError, UsageError: the parameters are invalid.

    """
    from agent_memory.remember.targets import available_targets  # noqa: PLC0415 -- not at start

    ctx, runtime = context(session, Params(value, PROJECT_KEYS))
    rows = [target_json(target) for target in available_targets(ctx, runtime)]
    for row in rows:
        row["uri"] = session.positions.uri(Path(row["path"]))
    return {"targets": rows}


def edit_of(session: Session, planned: Plan) -> dict[str, Any]:
    """Return the workspace edit of a ready plan."""
    return session.edit(planned.edits, creates=planned.creates, roots=planned.roots)


def _snippet(session: Session, params: Params) -> Snippet:
    """Return the text to save: the parameter ``text``, else the text in the range of ``origin``.

    ``origin`` is where the text comes from: {"uri", "range", "languageId"}, read from its buffer,
    else from the file. Without ``languageId`` the language is that of the buffer, '' if the file is
    not open.

    Raises:
        BadParamsError: neither ``text`` nor a range is given, or ``origin`` is invalid.

    """
    from agent_memory.remember.snippet import Snippet  # noqa: PLC0415 -- not at start

    origin = params.table("origin")
    if origin is None:
        return Snippet(params.needed("text"))
    fields = Params(origin, ("uri", "range", "languageId"))
    uri, selection = fields.needed("uri"), fields.table("range")
    document, path = session.documents.get(uri), convert.to_path(uri)
    lines: Sequence[str] = []
    if document:
        lines = document.lines
    elif path:
        lines = session.store.read(path).lines
    language = fields.text("languageId") or (document.language if document else "")
    if selection is None:
        return Snippet(params.needed("text"), path, language=language)
    try:
        span = convert.to_span(selection, lines, session.positions.encoding)
    except (KeyError, TypeError):
        raise BadParamsError("'origin.range' is not a range of an LSP document") from None
    return _snippet_of_selection(params.text("text"), path, lines, span, language)


def _snippet_of_selection(
    text: str | None, path: Path | None, lines: Sequence[str], span: Span, language: str
) -> Snippet:
    """Return the snippet of ``text``, or of the text in ``span`` if ``text`` is None.

    ``lines`` are those of ``path``, whose ``language`` is an id of LSP, or ''. The snippet has the
    line numbers of ``span``. If its text is the one in ``span``, it also has the words of the
    comment that contains ``span``.
    """
    from agent_memory.remember.snippet import Snippet  # noqa: PLC0415 -- not at start

    selected = slice_span(lines, span)
    if text is None:
        text = selected
    last_line = span.end_line
    if span.end == 0 and span.end_line > span.line:
        last_line -= 1  # a selection that ends at the start of a line contains nothing of it
    comment = ""
    if text == selected:  # a text that the user has changed is no longer that of the comment
        comment = _comment(lines, span, language or (path.suffix if path else ""))
    return Snippet(text, path, span.line, last_line, language, comment)


def _comment(lines: Sequence[str], span: Span, language: str) -> str:
    """Return the words of the one comment or docstring that contains ``span``.

    '' if ``span`` is not in exactly one, or if the language is unknown. ``language`` is an id of
    LSP ('python') or the suffix of a file ('.py').
    """
    from agent_memory.remember.comment_region import words_of_comment  # noqa: PLC0415 -- not at start

    line_starts = [0, *accumulate(map(len, lines))]  # offsets; the last one is the end of the text
    start = line_starts[min(span.line, len(lines))] + span.start
    end = line_starts[min(span.end_line, len(lines))] + span.end
    return words_of_comment("".join(lines), start, end, language)
