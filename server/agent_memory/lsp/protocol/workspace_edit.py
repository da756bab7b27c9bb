"""Workspace edits: changes of the core in the form that this client can apply."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from agent_memory.base.model import Edit
    from agent_memory.lsp.protocol.client_capabilities import ClientCapabilities
    from agent_memory.lsp.workspace.position_mapper import PositionMapper

_START = {"line": 0, "character": 0}


def workspace_edit(
    positions: PositionMapper,
    client: ClientCapabilities,
    edits: Sequence[Edit] = (),
    *,
    creates: Sequence[tuple[Path, str]] = (),
    renames: Sequence[tuple[Path, Path]] = (),
) -> dict[str, Any]:
    """Return a WorkspaceEdit: new files first, then text edits, then renames.

    ``creates`` are (path, text), ``renames`` are (old, new). A client without ``documentChanges``
    gets ``changes``, unless a file is created or renamed and the client supports that resource
    operation: Neovim announces such operations, but not ``documentChanges``. Operations that the
    client does not support are left out; the text of a new file is an edit of its own and is always
    sent.
    """
    by_uri = _text_edits(positions, edits, creates)
    has_operations = (creates and client.create_files) or (renames and client.rename_files)
    if not client.document_changes and not has_operations:
        return {"changes": by_uri}
    changes: list[dict[str, Any]] = []
    if client.create_files:
        for path, _ in creates:
            options = {"ignoreIfExists": True}  # a file created meanwhile keeps its text
            changes.append({"kind": "create", "uri": positions.uri(path), "options": options})
    for uri, text_edits in by_uri.items():
        document = positions.documents.get(uri)
        version = document.version if document else None
        changes.append({"textDocument": {"uri": uri, "version": version}, "edits": text_edits})
    if client.rename_files:
        for old, new in renames:
            uris = {"oldUri": positions.uri(old), "newUri": positions.uri(new)}
            changes.append({"kind": "rename", **uris})
    return {"documentChanges": changes}


def _text_edits(
    positions: PositionMapper, edits: Sequence[Edit], creates: Sequence[tuple[Path, str]]
) -> dict[str, list[dict[str, Any]]]:
    """Return LSP text edits by URI: ``edits``, and an insertion of the text of each of ``creates``.

    A file of ``creates`` is new, so it has none of ``edits``.
    """
    by_path: dict[Path, list[Edit]] = {}
    for edit in edits:
        by_path.setdefault(edit.path, []).append(edit)
    by_uri = {
        positions.uri(path): positions.text_edits(edits_of_path)
        for path, edits_of_path in by_path.items()
    }
    for path, text in creates:
        by_uri[positions.uri(path)] = [{"range": {"start": _START, "end": _START}, "newText": text}]
    return by_uri
