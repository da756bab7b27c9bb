"""tools/new-rule: where a rule goes in the table, and what its files contain."""

from __future__ import annotations

import re
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import pytest

from rules.test_docs import SECTIONS

TOOL = Path(__file__).resolve().parents[2] / "tools" / "new-rule"
TABLE = Path(__file__).resolve().parents[2] / "server/agent_memory/lint/rules/__init__.py"


@pytest.fixture(scope="module")
def tool():
    loader = SourceFileLoader("new_rule", str(TOOL))
    module = module_from_spec(spec_from_loader("new_rule", loader))
    loader.exec_module(module)
    return module


@pytest.mark.parametrize("family", [f"AM{number}" for number in range(1, 10)])
def test_new_rule_goes_after_the_last_one_of_its_family(tool, family):
    table = TABLE.read_text("utf-8")
    code = tool.free_code(table, family)
    assert code not in table
    codes = re.findall(r"# (AM\d{3})$", tool.with_line(table, "new", code), re.MULTILINE)
    assert code in codes
    assert codes == sorted(codes)


def test_page_has_all_sections(tool):
    assert re.findall(r"^## (.+)$", tool.PAGE, re.MULTILINE) == SECTIONS


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["todo"], "'todo' is not a rule name: use two or more words, as in todo-left"),
        (["stale-path"], "the rule stale-path already exists"),
        (["a-b", "--pattern", "x", "--good", "x"], "the pattern must match the bad line"),
        (["a-b", "--pattern", '"'], "the pattern must not contain a double quote"),
    ],
)
def test_wrong_argument_writes_nothing(tool, arguments, problem, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["new-rule", *arguments])
    assert tool.main() == 2
    assert problem in capsys.readouterr().err
