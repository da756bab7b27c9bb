from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from agent_memory.cli import COMMANDS
from agent_memory.rules import RULES
from kit import cli, project


@pytest.fixture
def ctx(tmp_path):
    return project(tmp_path, {}, {})


def run(ctx, *args):
    return cli(ctx, "rules", *args)


def test_rules_lists_every_rule(ctx):
    out = run(ctx).out
    assert [line.split()[0] for line in out.splitlines()] == [rule.code for rule in RULES]


def test_rules_as_json_is_what_a_program_needs(ctx):
    value = json.loads(run(ctx, "--format", "json").out)
    assert [item["code"] for item in value] == [rule.code for rule in RULES]
    keys = ["code", "name", "severity", "summary", "default", "roles", "since", "href"]
    assert all(list(item) == keys for item in value)
    assert len({item["name"] for item in value}) == len(value)


def test_one_rule_is_explained(ctx):
    assert run(ctx, "AM107").out.startswith("# ")
    (value,) = json.loads(run(ctx, "hidden-unicode", "--format", "json").out)
    assert value["code"] == "AM107"
    assert run(ctx, "AM999").code == 2


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(ctx, name):
    done = cli(ctx, name, "--help")
    assert done.code == 0
    assert done.out.startswith(f"usage: agent-memory {name}")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_on_the_page(name):
    page = (Path(__file__).parents[3] / "docs" / "cli.md").read_text("utf-8")
    heads = [line for line in page.splitlines() if line.startswith("## ")]
    assert any(re.search(rf"\b{name}\b", head) for head in heads)
