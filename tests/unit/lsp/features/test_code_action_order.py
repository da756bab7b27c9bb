"""A quick fix that is a guess comes last, so that the first action never makes memory wrong."""

from lsprotocol import types

from agent_memory.lsp.features.code_actions import CodeActions
from agent_memory.lsp.workspace.session import Session
from kit import write

MEMORY = "# A\n\n- See `docs/Guide.md`.\n- See `src/users.py`.\n"
FILES = {"docs/guide.md": "# G\n", "src/user.py": "", "AGENTS.md": MEMORY, ".git/HEAD": "x"}


def titles(tmp_path, line):
    session = Session(write(tmp_path / "home", {".keep": ""}), {})
    session.set_folders([write(tmp_path / "ws", FILES)])
    where = types.Range(types.Position(line, 8), types.Position(line, 8))
    params = types.CodeActionParams(
        types.TextDocumentIdentifier((session.folders[0] / "AGENTS.md").as_uri()),
        where,
        types.CodeActionContext([], only=["quickfix"]),
    )
    return [action["title"] for action in CodeActions(session, None, None).offer(params)]


def test_certain_replacement_is_first(tmp_path):
    assert titles(tmp_path, 2)[0] == "Replace with docs/guide.md"


def test_guess_is_last(tmp_path):
    found = titles(tmp_path, 3)
    assert found.index("Replace with src/user.py") == len(found) - 1 > 0
