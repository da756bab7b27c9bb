"""Files are opened for reading in one module only, which refuses pipes, devices and huge files."""

from __future__ import annotations

import ast
from pathlib import Path

import agent_memory

PACKAGE = Path(agent_memory.__file__).parent

METHODS = {"read_text", "read_bytes", "open", "fdopen", "readinto", "hash_file", "copy", "copyfile"}
FUNCTIONS = {"open", "open_text", "FileIO", "mmap", "connect"}
MODULES = {"linecache", "fileinput", "mmap", "codecs", "shutil", "zipfile", "tarfile", "csv"}
"""Modules of the standard library that open files by their name."""

NOT_FILES = ("self.session.documents.open(", "Recall.open(", "connect(")
"""How calls begin that open a buffer of the editor or, in `recall.database`, the search index."""
ALLOWED = {
    "fs/reader.py": "the reader",
    "fs/program_text.py": "maps programs, opened through the reader",
    "fs/atomic_write.py": "creates temporary files, opens files to copy their attributes",
    "fs/folder.py": "opens folders, and files to write",
    "fs/durable.py": "opens files to sync them",
    "fs/lock.py": "opens lock files",
    "recall/database.py": "creates the search index, which SQLite opens",
    "recall/usage.py": "opens a database",
    "recall/file_scan.py": "opens folders; the files in them through the reader",
    "base/toml_tables.py": "reads data of the package",
    "l10n/__init__.py": "reads data of the package",
    "secrets/catalog.py": "reads data of the package",
    "lsp/boot.py": "duplicates standard output",
    "cli/__init__.py": "opens the null device",
}
"""The only modules that may open files, and what for."""


PARSERS = {
    "formats/json_parser.py",
    "formats/toml_parser.py",
    "skills/skill_file.py",  # with a bounded loader
    "lsp/boot.py",  # messages of the client
    "lsp/transport/fast_lane.py",
    "secrets/checksums.py",  # a part of a token
    "recall/doc_table.py",  # data that this program wrote
    "fs/program_text.py",
    "secrets/catalog.py",
    "l10n/__init__.py",
}
"""The only modules that call a parser without limits of :mod:`agent_memory.formats`."""


def calls(tree: ast.AST):
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func
            if (isinstance(name, ast.Attribute) and name.attr in METHODS | FUNCTIONS) or (
                isinstance(name, ast.Name) and name.id in FUNCTIONS
            ):
                yield ast.unparse(node)


def imported(tree: ast.AST):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (item.name for item in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def test_files_are_read_in_one_place():
    found = {}
    for path in PACKAGE.rglob("*.py"):
        every = calls(ast.parse(path.read_bytes()))
        opened = {call for call in every if not call.startswith(NOT_FILES)}
        if opened:
            found[path.relative_to(PACKAGE).as_posix()] = opened
    others = {path: opened for path, opened in found.items() if path not in ALLOWED}
    assert others == {}
    assert found.keys() == ALLOWED.keys(), "the list has no module that opens nothing"


def test_no_module_that_opens_files_by_name_is_used():
    for path in PACKAGE.rglob("*.py"):
        if path.name == "program_text.py":
            continue
        used = MODULES & set(imported(ast.parse(path.read_bytes())))
        assert not used, path


def test_files_are_parsed_with_limits():
    found = set()
    for path in PACKAGE.rglob("*.py"):
        tree = ast.parse(path.read_bytes())
        names = {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        if names & {"json.loads", "json.load", "tomllib.loads", "tomllib.load", "yaml.load"}:
            found.add(path.relative_to(PACKAGE).as_posix())
    assert found == PARSERS
