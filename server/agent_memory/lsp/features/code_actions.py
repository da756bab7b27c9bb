"""Code actions: the ways out of findings, all safe fixes at once, and "remember this"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agent_memory.config import secret_allowlist
from agent_memory.l10n import t, untranslated
from agent_memory.lint import suppressions
from agent_memory.lint.fixes import edits_together
from agent_memory.lsp.features import move_actions
from agent_memory.lsp.protocol import convert
from agent_memory.lsp.protocol.capabilities import FIX_ALL, REMEMBER
from agent_memory.lsp.protocol.workspace_edit import workspace_edit
from agent_memory.lsp.transport.params import BadParamsError, document_uri

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agent_memory.base.model import Finding, Fix
    from agent_memory.base.text import Span
    from agent_memory.lsp.server import MemoryServer
    from agent_memory.lsp.workspace.session import Session

_SCOPES = (
    ("project", untranslated("Remember in Project Memory")),
    ("user", untranslated("Remember in User Memory")),
)


class CodeActions:
    """Answers ``textDocument/codeAction`` and ``codeAction/resolve``."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def offer(self, params: Any) -> list[dict[str, Any]]:
        """Return the actions for a range of a document, of the kinds that are asked for."""
        uri = document_uri(params)
        context = params.get("context")
        only = context.get("only") if isinstance(context, dict) else None
        if not isinstance(params.get("range"), dict):
            raise BadParamsError("'range' is missing")
        out: list[dict[str, Any]] = []
        path = convert.to_path(uri)
        if path and self.session.watched(path):
            span = self._span(path, params["range"])
            if _wanted("quickfix", only):
                out += self._quick_fixes(path, span, context)
            if only and _wanted(FIX_ALL, only):
                out += self._fix_all(path)
            if _wanted(REMEMBER, only):
                out += move_actions.offer(self.session, path, span.line)
        if _wanted(REMEMBER, only) and params["range"].get("start") != params["range"].get("end"):
            out += _remember(uri, params["range"])
        return out

    def resolve(self, action: Any) -> dict[str, Any]:
        """Return ``action`` with its edit, which :meth:`offer` left out."""
        if isinstance(action, dict) and "command" in action:
            return action  # VS Code asks for the edit of each action that shows none
        data = action.get("data") if isinstance(action, dict) else None
        if not isinstance(data, dict) or not isinstance(data.get("uri"), str):
            raise BadParamsError("this action was not made by Agent Memory: it has no data of ours")
        path = convert.to_path(data["uri"])
        if path and "move" in data:
            return {**action, "edit": move_actions.edit(self.session, path, data["move"])}
        for finding in self.session.findings(path) if path else ():
            if [finding.code, *finding.span] == data.get("finding"):
                for fix in self._ways_out(finding):
                    if fix.title == action.get("title"):
                        return {**action, "edit": self._edit(fix)}
        raise BadParamsError(t("the document has changed since this action was offered; ask again"))

    def _span(self, path: Path, value: Any) -> Span:
        try:
            return self.session.places.span(path, value)
        except (KeyError, TypeError):
            raise BadParamsError("'range' is not a range of an LSP document") from None

    def _quick_fixes(self, path: Path, span: Span, context: Any) -> list[dict[str, Any]]:
        shown = context.get("diagnostics") if isinstance(context, dict) else None
        out: list[dict[str, Any]] = []
        for finding in self.session.findings(path):
            if finding.span[:2] > span[2:] or finding.span[2:] < span[:2]:
                continue
            where = self.session.places.range(path, finding.span)
            mended = [
                item
                for item in (shown if isinstance(shown, list) else ())
                if isinstance(item, dict)
                and (item.get("code"), item.get("range")) == (finding.code, where)
            ]
            for number, fix in enumerate(self._ways_out(finding)):
                action: dict[str, Any] = {
                    "title": fix.title,
                    "kind": "quickfix",
                    "diagnostics": mended,
                }
                if number == 0 and finding.fixes and fix.safe:
                    action["isPreferred"] = True
                if self.session.client.resolve_actions:
                    uri = self.session.places.uri(path)
                    action["data"] = {"uri": uri, "finding": [finding.code, *finding.span]}
                else:
                    action["edit"] = self._edit(fix)
                out.append(action)
        return out

    def _ways_out(self, finding: Finding) -> Iterator[Fix]:
        """Yield the fixes of ``finding``, then what accepts it: its hash, a comment."""
        for fix in finding.fixes:
            if not fix.renames or self.session.client.rename_files:
                yield fix
        project = self.session.view_of(finding.path).project
        if finding.data.get("secret"):
            accept = secret_allowlist.fix(project.ctx, finding.path, finding.data["sha256"])
            if accept:
                yield accept
        file = project.files.get(finding.path)
        if file and file.content.ok:
            yield from suppressions.ways(finding.code, finding.span, file)

    def _edit(self, fix: Fix) -> dict[str, Any]:
        return workspace_edit(
            self.session.places,
            self.session.client,
            fix.edits,
            creates=fix.creates,
            renames=fix.renames,
        )

    def _fix_all(self, path: Path) -> list[dict[str, Any]]:
        findings = self.session.findings(path)
        edits, count = edits_together(findings, self.session.places.lines(path))
        if not edits:
            return []
        edit = workspace_edit(self.session.places, self.session.client, edits)
        title = (
            t("Agent Memory: apply {0} safe fixes", count)
            if count > 1
            else t("Agent Memory: apply 1 safe fix")
        )
        return [{"title": title, "kind": FIX_ALL, "edit": edit}]


def _remember(uri: str, where: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for scope, label in _SCOPES:
        title = t(label)
        argument = {"scope": scope, "origin": {"uri": uri, "range": where}}
        command = {
            "title": title,
            "command": "agentMemory.server.remember",
            "arguments": [argument],
        }
        yield {"title": title, "kind": REMEMBER, "command": command}


def _wanted(kind: str, only: Any) -> bool:
    """Whether ``kind`` is one of ``only`` (None: all) or below one of them."""
    if not isinstance(only, list):
        return True
    return any(kind == item or (item == "" or kind.startswith(f"{item}.")) for item in only)


def register(server: MemoryServer) -> None:
    """Add the requests. As plain JSON: an editor asks with every move of the cursor."""
    actions = CodeActions(server.session)
    server.connection.handlers |= {
        "textDocument/codeAction": actions.offer,
        "codeAction/resolve": actions.resolve,
    }
