"""``agentMemory/entries``: the learned entries of a project; and commands that change them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agent_memory import serialize
from agent_memory.base.errors import UsageError
from agent_memory.l10n import t, untranslated
from agent_memory.lsp.features import remember
from agent_memory.lsp.features.feature import Feature
from agent_memory.lsp.features.prompt import PROJECT_KEYS, context, named_agent
from agent_memory.lsp.transport.params import Params
from agent_memory.runtimes import drover_entries

if TYPE_CHECKING:
    from pathlib import Path

    from pygls.lsp.server import LanguageServer

    from agent_memory.config.context import Context
    from agent_memory.entries.entry_file import Entry
    from agent_memory.entries.markdown_store import MarkdownEntries
    from agent_memory.lsp.workspace.session import Session
    from agent_memory.remember.promote import Promotion

_FILTERS = ("scopes", "kinds", "tags", "run", "older", "unused", "trash", *PROJECT_KEYS)
"""Parameters of ``agentMemory/entries``: see :func:`entries`."""
_CREATE = untranslated("Create the folder")


class Entries(Feature):
    """The request that lists entries, and the commands that change them."""

    def register(self, server: LanguageServer) -> None:
        """Register the request and the commands; all return JSON."""

        @server.feature("agentMemory/entries")
        @server.command("agentMemory.server.entries")
        def list_entries(value: Any) -> dict[str, Any]:
            return entries(self.session, value)

        @server.command("agentMemory.server.promote")
        def promote(value: Any) -> dict[str, Any]:
            return self.promote(value)

        @server.command("agentMemory.server.forget")
        def forget(value: Any) -> dict[str, Any]:
            """Move an entry to the trash; with ``agent``, only one that the agent may forget."""
            params = Params(value, ("id", *PROJECT_KEYS))
            ctx, store = _context_and_store(self.session, params)
            entry = store.forget(params.needed("id"), named_agent(params))
            return self._after_change(ctx, store, entry)

        @server.command("agentMemory.server.restore")
        def restore(value: Any) -> dict[str, Any]:
            """Move an entry from the trash back to its folder."""
            params = Params(value, ("id", *PROJECT_KEYS))
            ctx, store = _context_and_store(self.session, params)
            return self._after_change(ctx, store, store.trash().restore(params.needed("id")))

    def promote(self, value: Any) -> dict[str, Any]:
        """Add the text of an entry to memory through the client, then move it to the trash.

        Return the plan as JSON: the edit may not be applied yet. An entry that memory contains
        already is only moved to the trash. If a folder must be created, the user is asked first.
        If the plan was refused or the text contains a secret, the user sees why, and nothing
        changes.

        Raises:
            BadParamsError, UsageError: the parameters are invalid, or the entry does not exist or
                may not be promoted.

        """
        from agent_memory.remember import promote  # noqa: PLC0415 -- loaded on first use

        params = Params(value, ("id", "to", "section", "create", *PROJECT_KEYS))
        ctx, store = _context_and_store(self.session, params)
        target = params.one_of("to", ("project", "user"))
        planned = promote.promote(
            ctx.with_(entries=store.root, agent=named_agent(params)),
            params.needed("id"),
            target,
            section=params.text("section"),
            create=params.flag("create"),
            runtime_id=params.text("runtime"),
        )
        plan = planned.plan
        if plan.outcome == "ready":
            self._apply(planned)
        elif plan.outcome == "duplicate":
            self._discard(planned)
        elif plan.outcome == "consent":
            self._ask_consent(value, plan.message)
        else:
            self.client.show_message(plan.message)
        return remember.answer(self.session, plan)

    def _apply(self, planned: Promotion) -> None:
        """Make the client apply the edit; after that, move the entry to the trash.

        The user sees a message if the editor does not support edits or has not applied this one.
        """
        if not self.session.capabilities.apply_edit:
            self.client.show_message(
                t("This editor does not support edits by a server. Use `agent-memory entries`.")
            )
            return
        plan = planned.plan

        def applied(result: Any) -> None:
            """Move the entry to the trash if the client applied the edit."""
            if isinstance(result, dict) and result.get("applied"):
                self._discard(planned)
            else:
                self.client.show_message(
                    t("The editor did not apply the edit of {0}.", plan.path.name)
                )

        label = t("Remember in {0}", plan.path.name)
        edit = remember.edit_of(self.session, plan)
        self.client.request("workspace/applyEdit", {"label": label, "edit": edit}, applied)

    def _ask_consent(self, value: dict[str, Any], message: str) -> None:
        """Ask for consent to create the folder; if the user agrees, promote again.

        ``value`` are the parameters of the first promotion, ``message`` is the question.
        """
        button = t(_CREATE)

        def chosen(title: str | None) -> None:
            """Promote with consent if the user clicked on the button; else do nothing."""
            if title == button:
                self.promote({**value, "create": True})

        self.client.ask(message, [button], chosen)

    def _discard(self, planned: Promotion) -> None:
        """Move the promoted entries to the trash, and update the search index."""
        planned.store.discard(planned.entries)
        for entry in planned.entries:
            self._update_index(planned.store, entry)

    def _after_change(self, ctx: Context, store: MarkdownEntries, entry: Entry) -> dict[str, Any]:
        """Update the search index after a change of ``entry``; return the entry as JSON."""
        self._update_index(store, entry)
        return _entry_json(self.session, entry, ctx.settings.allowed_secrets)

    def _update_index(self, store: MarkdownEntries, entry: Entry) -> None:
        """Read the file of ``entry`` again in the search index: it changed, moved or was added."""
        self.session.recall_indexes.update([store.path_of(entry)])


def entries(session: Session, value: Any) -> dict[str, Any]:
    """Return {"entries": those that match the filter, as JSON, the last changed first}.

    ``value`` is an object with some of ``_FILTERS``; ``older`` and ``unused`` are in days. With
    ``trash`` the entries are those of the trash, the last forgotten first; ``older`` and ``unused``
    have no effect. The list is empty if the folder of entries does not exist.

    Raises:
        BadParamsError, UsageError: the parameters are invalid.

    """
    from agent_memory.recall.listing import EntryFilter, listed  # noqa: PLC0415 -- on first use

    params = Params(value, _FILTERS)
    wanted = EntryFilter(
        named_agent(params),
        params.text("run"),
        tuple(params.texts("scopes") or ()),
        tuple(params.texts("kinds") or ()),
        tuple(params.texts("tags") or ()),
        params.number("older", None),
        params.number("unused", None),
    )
    ctx, _ = context(session, params)
    folder = _entries_folder(session, ctx)
    if folder is None:
        return {"entries": []}
    _, store = _context_and_store(session, params)
    if params.flag("trash"):
        matching = [row.entry for row in store.trash().entries() if wanted.takes(row.entry)]
    else:
        matching = [row.entry for row in listed(store, ctx.env, wanted)]
    allowed = ctx.settings.allowed_secrets
    return {"entries": [_entry_json(session, entry, allowed) for entry in matching]}


def _context_and_store(session: Session, params: Params) -> tuple[Context, MarkdownEntries]:
    """Return the context and the store of the folder of entries that ``params`` choose.

    Raises:
        UsageError: the folder is missing or may not be read.

    """
    from agent_memory.remember.entry_planner import entries_of  # noqa: PLC0415 -- on first use

    ctx, _ = context(session, params)
    folder = _entries_folder(session, ctx)
    if folder is None:
        raise UsageError(
            t("There is no folder of entries here. Name one in the setting drover.entries")
        )
    return ctx, entries_of(ctx.with_(entries=folder))


def _entries_folder(session: Session, ctx: Context) -> Path | None:
    """Return the folder of the entries of drover, None if it does not exist."""
    folder = drover_entries.folder(ctx, session.projects.view(ctx.cwd).project.root)
    return folder if folder is not None and folder.is_dir() else None


def _entry_json(session: Session, entry: Entry, allowed: list[str]) -> dict[str, Any]:
    """Return ``entry`` as JSON, with the URI of its file, null for an entry without a file.

    Secrets are masked; ``allowed`` are the SHA-256 hashes of those that are not.
    """
    score = 0.0  # there is no query
    return {
        **serialize.entry_json(entry, score, allowed),
        "agent": entry.agent,
        "run": entry.run,
        "changed": entry.changed,
        "uri": session.positions.uri(entry.path) if entry.path else None,
    }
