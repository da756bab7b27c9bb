"""Code actions: fixes of findings, all safe fixes at once, "remember this", moves."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from agent_memory.base.errors import UsageError
from agent_memory.config import secret_allowlist
from agent_memory.l10n import t, untranslated
from agent_memory.lint import suppressions
from agent_memory.lint.fixes import edits_together
from agent_memory.lsp.features import move_actions
from agent_memory.lsp.features.feature import Feature
from agent_memory.lsp.protocol import convert
from agent_memory.lsp.protocol.methods import FIX_ALL, MOVE_SECTION, REMEMBER
from agent_memory.lsp.transport.errors import BadParamsError
from agent_memory.runtimes.classify import is_user_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pygls.lsp.server import LanguageServer

    from agent_memory.base.model import Finding, Fix
    from agent_memory.base.text import Span

_SCOPES = (
    ("project", untranslated("Remember in Project Memory")),
    ("user", untranslated("Remember in User Memory")),
)


class CodeActions(Feature):
    """Offers actions. A client that can resolve fixes and moves gets their edits only then."""

    def register(self, server: LanguageServer) -> None:
        """Register the requests that list code actions and that complete one with its edit."""

        @server.feature(types.TEXT_DOCUMENT_CODE_ACTION)
        def offer(params: types.CodeActionParams) -> list[dict[str, Any]]:
            return self.offer(params)

        @server.feature(types.CODE_ACTION_RESOLVE)
        def resolve(action: types.CodeAction) -> types.CodeAction | dict[str, Any]:
            return self.resolve(action)

    def offer(self, params: types.CodeActionParams) -> list[dict[str, Any]]:
        """Return the actions for a range of a document, of the kinds in ``context.only``, if given.

        A document that is not a memory file only has those that remember the selection. A request
        that the editor sends by itself, after the cursor moved, gets no refactorings unless
        ``only`` is given: the editor would show a light bulb on each line. Moves to a section are
        listed only with ``only``, because there can be many: one for each section of the file.
        """
        uri, only = params.text_document.uri, params.context.only
        is_automatic = params.context.trigger_kind is types.CodeActionTriggerKind.Automatic
        offers_refactorings = bool(only) or not is_automatic
        has_selection = params.range.start != params.range.end
        out: list[dict[str, Any]] = []
        path = convert.to_path(uri)
        if path and self.session.projects.is_memory_file(path):
            span = self.session.positions.span(path, convert.range_json(params.range))
            if _wanted("quickfix", only):
                out += self._quick_fixes(path, span, params.context.diagnostics)
            if only and _wanted(FIX_ALL, only):  # on request only: editors run it on save
                out += self._fix_all(path)
            if offers_refactorings:

                def is_wanted_move(kind: str) -> bool:
                    """Whether to list moves of ``kind``; those to a section only with ``only``."""
                    return _wanted(kind, only) and (bool(only) or kind != MOVE_SECTION)

                out += move_actions.offer(self.session, path, span.line, is_wanted_move)
        if offers_refactorings and has_selection and _wanted(REMEMBER, only):
            out += _remember(uri, convert.range_json(params.range))
        return out

    def resolve(self, action: types.CodeAction) -> types.CodeAction | dict[str, Any]:
        """Return ``action`` with the edit that :meth:`offer` left out.

        Its ``data`` says what to edit: {"uri", "move"} of a move, {"uri", "finding"} of a fix,
        where ``finding`` is [code, *span].

        Raises:
            BadParamsError: ``action`` is not from :meth:`offer`, or its finding or fix no longer
                exists.
            UsageError: the edit is not possible.

        """
        if action.command:
            return action  # VS Code resolves each action without an edit
        data: Any = action.data
        if not isinstance(data, dict) or not isinstance(data.get("uri"), str):
            raise BadParamsError("this action is not from Agent Memory: its 'data' is missing")
        path = convert.to_path(data["uri"])
        if path and "move" in data:
            return self._resolved(action, move_actions.edit(self.session, path, data["move"]))
        for finding in self.session.findings(path) if path else ():
            if [finding.code, *finding.span] == data.get("finding"):
                for fix in self._fixes(finding):
                    if fix.title == action.title:
                        return self._resolved(action, self._edit(fix))
        raise BadParamsError(t("The document has changed. Request the code actions again."))

    def _resolved(self, action: types.CodeAction, edit: dict[str, Any]) -> dict[str, Any]:
        """Return ``action`` as JSON with ``edit``; members that the client left out stay out."""
        members: dict[str, Any] = {"title": action.title, "kind": action.kind}
        members |= {"isPreferred": action.is_preferred, "diagnostics": action.diagnostics}
        members["data"] = action.data
        return {**{key: value for key, value in members.items() if value is not None}, "edit": edit}

    def _quick_fixes(
        self, path: Path, span: Span, diagnostics: Sequence[types.Diagnostic]
    ) -> list[dict[str, Any]]:
        """Return the actions for the findings in ``path`` that touch ``span``.

        ``diagnostics`` are those that the client shows at ``span``.
        """
        out: list[dict[str, Any]] = []
        for finding in self.session.findings(path):
            if _are_touching(finding.span, span):
                out += self._actions_of(finding, diagnostics)
        return out

    def _actions_of(
        self, finding: Finding, diagnostics: Sequence[types.Diagnostic]
    ) -> Iterator[dict[str, Any]]:
        """Yield an action for each fix of ``finding``, with the ``diagnostics`` of the finding.

        If the client resolves actions, they have no edits. Else each has its edit, and a fix whose
        edit is not possible is left out.
        """
        lsp_range = self.session.positions.range(finding.path, finding.span)
        diagnostics_of_finding = [
            diagnostic
            for diagnostic in diagnostics
            if diagnostic.code == finding.code and convert.range_json(diagnostic.range) == lsp_range
        ]
        for number, fix in enumerate(self._fixes(finding)):
            action: dict[str, Any] = {
                "title": fix.title,
                "kind": "quickfix",
                "diagnostics": diagnostics_of_finding,
            }
            # If the finding has no fixes, the first action accepts it: that is never preferred.
            if number == 0 and finding.fixes and (fix.safe or _replaces(fix, finding)):
                action["isPreferred"] = True
            if self.session.capabilities.resolve_actions:
                uri = self.session.positions.uri(finding.path)
                yield {**action, "data": {"uri": uri, "finding": [finding.code, *finding.span]}}
                continue
            with contextlib.suppress(UsageError):  # an edit of this file is not allowed
                yield {**action, "edit": self._edit(fix)}

    def _fixes(self, finding: Finding) -> Iterator[Fix]:
        """Yield the fixes of ``finding``, guesses last, then the ways to accept it.

        A secret is accepted by its hash in the settings, any finding by a comment in its file, if
        these can be edited. Fixes that rename files are left out if the client cannot rename.
        """
        can_rename = self.session.capabilities.rename_files
        possible = [fix for fix in finding.fixes if can_rename or not fix.renames]
        yield from sorted(possible, key=lambda fix: not fix.certain)
        project = self.session.projects.view_of(finding.path).project
        if finding.data.get("secret"):
            # The settings that apply where the file is read: the user's for user memory.
            in_user_settings = is_user_file(finding.path, project.ctx.home)
            sha256 = finding.data["sha256"]
            accept = secret_allowlist.fix(project.ctx, sha256, user=in_user_settings)
            if accept:
                yield accept
        file = project.files.get(finding.path)
        if file and file.content.ok:
            yield from suppressions.suppressing_fixes(finding.code, finding.span, file)

    def _edit(self, fix: Fix) -> dict[str, Any]:
        """Return the WorkspaceEdit of ``fix``.

        Raises:
            UsageError: the edit would change a file outside of the folders that may be changed.

        """
        return self.session.edit(fix.edits, creates=fix.creates, renames=fix.renames)

    def _fix_all(self, path: Path) -> list[dict[str, Any]]:
        """Return one action in a list, which applies the safe fixes of ``path``.

        Of overlapping fixes, the first one is applied. Fixes that edit another file are left out.
        The list is empty without such fixes, or if the file may not be changed.
        """
        findings = self.session.findings(path)
        edits, count = edits_together(findings, self.session.positions.lines(path))
        if not edits:
            return []
        try:
            edit = self.session.edit(edits)
        except UsageError:
            return []
        title = (
            t("Agent Memory: apply {0} safe fixes", count)
            if count > 1
            else t("Agent Memory: apply 1 safe fix")
        )
        return [{"title": title, "kind": FIX_ALL, "edit": edit}]


def _are_touching(one: Span, other: Span) -> bool:
    """Whether two spans overlap, or one ends where the other starts."""
    one_start, one_end = (one.line, one.start), (one.end_line, one.end)
    other_start, other_end = (other.line, other.start), (other.end_line, other.end)
    return one_start <= other_end and other_start <= one_end


def _replaces(fix: Fix, finding: Finding) -> bool:
    """Whether ``fix`` is one edit that replaces the text of ``finding`` by another, visible one.

    Such a fix is preferred even if it is a guess: its title shows that text.
    """
    edit = fix.edits[0] if len(fix.edits) == 1 else None
    return edit is not None and edit.span == finding.span and bool(edit.text.strip())


def _remember(uri: str, selection: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield an action for each scope: it runs the command that saves ``selection`` of ``uri``."""
    for scope, label in _SCOPES:
        title = t(label)
        argument = {"scope": scope, "origin": {"uri": uri, "range": selection}}
        command = {
            "title": title,
            "command": "agentMemory.server.remember",
            "arguments": [argument],
        }
        yield {"title": title, "kind": REMEMBER, "command": command}


def _wanted(kind: str, only: Sequence[str] | None) -> bool:
    """Whether the client requests actions of ``kind``: all if ``only`` is None.

    A kind in ``only`` includes its subkinds: 'refactor' includes 'refactor.move', '' all kinds.
    """
    if only is None:
        return True
    return any(requested in ("", kind) or kind.startswith(f"{requested}.") for requested in only)
