"""The core does not import the editor's libraries; the command line starts without them."""

import ast
from pathlib import Path

import pytest

import agent_memory
from kit import fresh

PACKAGE = Path(agent_memory.__file__).parent
EDITOR = ("pygls", "lsprotocol", "cattrs", "attrs", "attr")


def imported(path: Path) -> set[str]:
    """Return the first names of what a file imports, anywhere in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names |= {item.name.partition(".")[0] for item in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.partition(".")[0])
    return names


def test_only_the_language_server_knows_the_protocols_libraries():
    guilty = [
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        if "lsp" not in path.relative_to(PACKAGE).parts and imported(path) & set(EDITOR)
    ]
    assert guilty == []


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("from agent_memory.cli import main; main(['check', '--fail-on', 'never'])", EDITOR),
        ("from agent_memory.cli import main; main(['check'])", ("watchdog", "asyncio")),
        ("from agent_memory.cli import main; main(['prompt'])", EDITOR),
        (
            "import agent_memory.lsp.boot",
            (*EDITOR, "asyncio", "watchdog", "dataclasses", "logging", "typing"),
        ),
        ("import agent_memory.lsp.host", (*EDITOR, "asyncio", "sqlite3")),
    ],
)
def test_a_start_loads_only_what_it_needs(code, absent, tmp_path):
    program = f"import sys; {code}; print(*sys.modules, sep='\\n', file=sys.stderr)"
    done = fresh(program, tmp_path, PATH="")
    loaded = {name.partition(".")[0] for name in done.stderr.split()}
    assert "agent_memory" in loaded
    assert loaded.isdisjoint(absent)
