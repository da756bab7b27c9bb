"""A replacement comes before the comments that suppress the finding, and is preferred."""

import pytest
from lsprotocol import types

from agent_memory.lsp.features.code_actions import CodeActions
from agent_memory.lsp.workspace.session import Session
from kit import write

MEMORY = "# A\n\n- See `docs/Guide.md`.\n- See `src/users.py`.\n"
FILES = {"docs/guide.md": "# G\n", "src/user.py": "", "AGENTS.md": MEMORY, ".git/HEAD": "x"}


def actions(tmp_path, line):
    session = Session(write(tmp_path / "home", {".keep": ""}), {})
    session.set_folders([write(tmp_path / "ws", FILES)])
    where = types.Range(types.Position(line, 8), types.Position(line, 8))
    params = types.CodeActionParams(
        types.TextDocumentIdentifier((session.folders[0] / "AGENTS.md").as_uri()),
        where,
        types.CodeActionContext([], only=["quickfix"]),
    )
    return CodeActions(session, None, None).offer(params)


def titles(tmp_path, line):
    return [action["title"] for action in actions(tmp_path, line)]


def test_certain_replacement_is_first(tmp_path):
    assert titles(tmp_path, 2)[0] == "Replace with docs/guide.md"


def test_guess_comes_before_the_suppressions(tmp_path):
    found = titles(tmp_path, 3)
    assert found[0] == "Replace with src/user.py"
    assert len(found) > 1


@pytest.mark.parametrize("line", [2, 3])
def test_only_the_replacement_is_preferred(tmp_path, line):
    preferred = [action.get("isPreferred", False) for action in actions(tmp_path, line)]
    assert preferred == [True, *[False] * (len(preferred) - 1)]


def test_a_suppression_is_not_preferred_if_the_client_cannot_rename(tmp_path):
    session = Session(write(tmp_path / "home", {".keep": ""}), {})
    files = {".deepagents/AGENT.md": "# A\n\n- Use tabs.\n", ".git/HEAD": "x"}
    session.set_folders([write(tmp_path / "ws", files)])
    path = session.folders[0] / ".deepagents/AGENT.md"
    (finding,) = [item for item in session.findings(path) if item.fixes]
    assert finding.fixes[0].renames
    start = types.Position(finding.span.line, finding.span.start)
    params = types.CodeActionParams(
        types.TextDocumentIdentifier(path.as_uri()),
        types.Range(start, start),
        types.CodeActionContext([], only=["quickfix"]),
    )
    offered = CodeActions(session, None, None).offer(params)
    assert offered
    assert not any(action.get("isPreferred") for action in offered)
