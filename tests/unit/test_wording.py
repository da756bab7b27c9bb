"""The word check finds what docs/style.md replaces, and only that."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def _load():
    sys.path.insert(0, str(ROOT / "tools"))
    spec = importlib.util.spec_from_file_location("check_wording", ROOT / "tools/check_wording.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


tool = _load()


def found(path, source):
    return [
        (finding.line, finding.found)
        for text in tool.texts(path, source)
        for finding in tool.findings(text)
    ]


@pytest.mark.parametrize("term", tool.terms(), ids=lambda term: term.avoid)
def test_each_row_matches_its_wrong_example_only(term):
    assert term.pattern.search(term.wrong)
    assert not term.pattern.search(term.right)
    assert term.kinds <= tool.PROSE | {"name"}


def test_style_page_shows_the_table():
    assert tool.table() in (ROOT / "docs/style.md").read_text("utf-8")


PYTHON = '''"""Mend it."""
# A phrase in
# vain, over two lines.
x = "mend"  # fine


def test_mended_file(arg):
    """Return it."""
    parser.add_argument("x", help="mend it")
    raise UsageError(f"{arg} is drawn anew")
'''


def test_python_docstrings_comments_help_and_errors():
    lines = sorted(line for line, _ in found("server/x.py", PYTHON))
    assert lines == [1, 2, 9, 10]


def test_python_test_names():
    assert (7, "mended") in found("tests/test_x.py", PYTHON)


def test_spelling_of_names_in_python():
    source = "def normalised(colour):\n    grey_area = colour\n    future.cancelled()\n"
    assert found("server/x.py", source) == [(1, "normalised"), (1, "colour"), (2, "grey")]
    assert found("server/x.py", "class FavouriteColor:\n    mend = 1\n") == [(1, "Favourite")]


def test_spelling_of_names_in_typescript():
    source = 'const isLabelled = "colour";\nfunction normalise() {}\n'
    assert found("vscode-extension/src/x.ts", source) == [(1, "Labelled"), (2, "normalise")]


def test_markdown_skips_code():
    page = "Mend it.\n\n`mend`\n\n```\nmend\n```\n\nIn\nvain.\n"
    assert found("docs/x.md", page) == [(1, "Mend"), (9, "In vain")]


def test_typescript_comments_only():
    source = 'const a = "// mend"; // mend\n/** Drawn\n * anew. */\n'
    assert sorted(found("vscode-extension/src/x.ts", source)) == [(1, "mend"), (3, "anew")]


def test_catalog_keys_and_values():
    source = '{\n  "Mend {0}": "anew"\n}\n'
    assert found("server/agent_memory/l10n/de.json", source) == [(2, "Mend")]
    assert found("vscode-extension/package.nls.json", source) == [(2, "anew")]


def test_script_comments():
    assert found("tools/x", "#!/bin/sh\n# mend\necho mend\n") == [(2, "mend")]


def test_long_subjects_since_the_newest_tag_are_found(tmp_path, monkeypatch):
    monkeypatch.setattr(tool, "ROOT", tmp_path)

    def git(*args):
        identity = ["-c", "user.name=Test", "-c", "user.email=test@example.invalid"]
        subprocess.run(["git", "-C", tmp_path, *identity, *args], check=True, capture_output=True)

    assert list(tool.long_subjects()) == []
    git("init", "-q")
    git("commit", "--allow-empty", "-qm", "a" * 73)
    assert list(tool.long_subjects()) == []
    git("tag", "v1")
    git("commit", "--allow-empty", "-qm", "b" * 72)
    git("commit", "--allow-empty", "-qm", "fixup! " + "c" * 72)
    git("commit", "--allow-empty", "-qm", "d" * 73)
    [found] = tool.long_subjects()
    assert found.endswith(": " + "d" * 73)


def test_findings_are_printed_with_file_and_line(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(tool, "ROOT", tmp_path)
    tool.terms.cache_clear()
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools/wording.toml").write_bytes((ROOT / "tools/wording.toml").read_bytes())
    page = tmp_path / "x.md"
    page.write_text("fine\n\nMend it.\n", "utf-8")
    assert tool.main([str(page)]) == 1
    assert 'x.md:3: "Mend" -> "fix"' in capsys.readouterr().out
    page.write_text("Fix it.\n", "utf-8")
    assert tool.main([str(page)]) == 0
