"""Only these modules change the disk, so a write cannot leave its folders unnoticed.

Everything else writes through ``fs/atomic_write.py`` and ``fs/rename.py``, which need to be told
the folders. A client applies the edits of ``Session.edit``, which checks them.
"""

from __future__ import annotations

import ast
from pathlib import Path

import agent_memory
from agent_memory import lsp, runtimes
from agent_memory.config.context import AGENT_FOLDERS

WRITERS = {
    "agent_memory.fs.atomic_replace",
    "agent_memory.fs.atomic_write",
    "agent_memory.fs.durable",
    "agent_memory.fs.folder",
    "agent_memory.fs.lock",
    "agent_memory.fs.rename",
    "agent_memory.prompt.at_revision",  # a temporary folder of its own
    "agent_memory.verify.copied",  # the temporary copy that an agent is started in
    "agent_memory.verify.started",  # its settings
    "agent_memory.recall.database",  # the index in the user's cache folder
}
CALLS = {
    *("write_text", "write_bytes", "mkdir", "makedirs", "touch", "unlink", "rmdir", "rmtree"),
    *("rename", "renames", "symlink_to", "hardlink_to", "symlink", "link", "chmod", "truncate"),
    *("copy", "copy2", "copyfile", "copytree", "NamedTemporaryFile", "mkstemp", "mkdtemp"),
}
MODES = frozenset("wxa+")


def modules() -> dict[str, Path]:
    """Return the path of each module of the package by its dotted name."""
    package = Path(agent_memory.__file__).parent
    return {
        ".".join(path.relative_to(package.parent).with_suffix("").parts): path
        for path in package.rglob("*.py")
    }


def writes(tree: ast.AST) -> list[str]:
    """Return the calls that create, change or remove files."""
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        base = function.value if isinstance(function, ast.Attribute) else None
        is_os = isinstance(base, ast.Name) and base.id in ("os", "shutil")
        texts = [
            item.value
            for item in (*node.args, *(key.value for key in node.keywords))
            if isinstance(item, ast.Constant) and isinstance(item.value, str)
        ]
        opens = name == "open" and any(set(text) & MODES and len(text) < 4 for text in texts)
        is_method = isinstance(function, ast.Attribute)
        moves = name == "replace" and is_method and len(node.args) == 1 and not node.keywords
        if (
            (name in CALLS and is_method)
            or opens
            or moves
            or (is_os and name in ("open", "replace"))
        ):
            found.append(f"{name} in line {node.lineno}")
    return found


def test_no_other_module_changes_the_disk():
    known = {"agent_memory.recall.file_scan": {"open"}, "agent_memory.fs.reader": {"open"}}
    known["agent_memory.cli.__init__"] = {"open"}  # the null device
    known["agent_memory.fs.program_text"] = {"open"}  # maps a program, read-only
    wrong = {}
    for module, path in modules().items():
        calls = writes(ast.parse(path.read_bytes()))
        calls = [call for call in calls if call.split()[0] not in known.get(module, ())]
        if calls and module not in WRITERS:
            wrong[module] = calls
    assert wrong == {}


def test_only_the_session_makes_edits():
    users = [
        module
        for module, path in modules().items()
        if module.startswith(f"{lsp.__name__}.") and "import workspace_edit" in path.read_text()
    ]
    assert users == ["agent_memory.lsp.workspace.session"]


def test_user_folders_of_runtimes_may_be_written_to():
    used = {name for runtime in runtimes.RUNTIMES for name in runtime.user_folders}
    assert used <= set(AGENT_FOLDERS)
    markers = {name for runtime in runtimes.RUNTIMES for name in runtime.markers}
    for name in (marker.removeprefix("~/") for marker in markers if marker.startswith("~/")):
        assert any(Path(name).is_relative_to(folder) for folder in AGENT_FOLDERS), name
